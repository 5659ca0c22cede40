import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import { compactCss, compactScript } from "./compact.ts";
import { chooseCoding, type ContentCoding, compressSync } from "./compression.ts";
import type { Path } from "./html.ts";
import { NotFoundException } from "./http-error.ts";
import { path } from "./path.ts";

const CONTENT_TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

type StaticAsset = { content: Buffer; type: string; compressed: Map<ContentCoding, Buffer> };

const FONT_FILES: Readonly<Record<string, string>> = {
  "inter-latin.woff2": "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  "inter-latin-ext.woff2": "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
};

/** Keeps `public/` and the fonts in memory, and serves them under names with a content hash, so that browsers can cache them forever. */
export class StaticAssets {
  readonly #served = new Map<string, StaticAsset>();
  readonly #paths = new Map<string, Path>();

  constructor(folder: URL) {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const [name, source] of Object.entries(FONT_FILES)) this.#add(name, readFileSync(new URL(import.meta.resolve(source))));
    for (const { name } of files) this.#add(name, this.#withHashedUrls(readWithInlinedFiles(folder, name), name));
  }

  path(file: string): Path {
    const assetPath = this.#paths.get(file);
    if (!assetPath) throw new Error(`public/ has no file ${file}`);
    return assetPath;
  }

  register(app: FastifyInstance): void {
    const config = { about: "stylesheet, script or icon", access: "open" as const };
    app.get<{ Params: { file: string } }>("/assets/:file", { config }, (request, reply) => {
      const asset = this.#served.get(request.params.file);
      if (!asset) throw new NotFoundException(`File '${request.params.file}' not found`);
      reply.type(asset.type).header("cache-control", "public, max-age=31536000, immutable");
      return reply.send(encodeAsset(asset, reply));
    });
  }

  /** Adds hashes to the font URLs in a style sheet, which are relative and have no hash. */
  #withHashedUrls(content: Buffer, file: string): Buffer {
    if (extname(file) !== ".css") return content;
    const hashedUrl = (_: string, font: string) => `url("${basename(this.path(font).text)}")`;
    return Buffer.from(content.toString("utf8").replaceAll(/url\("([^"]+)"\)/g, hashedUrl));
  }

  #add(file: string, content: Buffer): void {
    const extension = extname(file);
    const name = `${file.slice(0, -extension.length)}.${hash("sha256", content).slice(0, 10)}${extension}`;
    this.#served.set(name, { content, type: CONTENT_TYPES[extension] ?? "application/octet-stream", compressed: new Map() });
    this.#paths.set(file, path`/assets/${name}`);
  }
}

function encodeAsset({ content, type, compressed }: StaticAsset, reply: FastifyReply): Buffer {
  // WOFF 2 is already compressed.
  if (type === CONTENT_TYPES[".woff2"]) return content;
  const coding = chooseCoding(reply, content.length);
  return coding === undefined ? content : compressed.getOrInsertComputed(coding, () => compressSync(content, coding, "small"));
}

const IMPORT_PATTERN = /^@import "([^"]+)" layer\((\w+)\);$/gm;

/** Reads a file without comments and indentation. Inlines a style sheet's imports, so that a page needs fewer requests. */
function readWithInlinedFiles(folder: URL, file: string): Buffer {
  const content = readFileSync(new URL(file, folder));
  const extension = extname(file);
  if (extension === ".js") return Buffer.from(compactScript(content.toString("utf8")));
  if (extension !== ".css") return content;
  const inlinedText = content.toString("utf8").replaceAll(IMPORT_PATTERN, (_, part: string, layer: string) => {
    return `@layer ${layer} {\n${readFileSync(new URL(part, folder), "utf8")}}`;
  });
  return Buffer.from(compactCss(inlinedText));
}
