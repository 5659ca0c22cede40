import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Path } from "./html.ts";
import { NotFoundException } from "./http-error.ts";
import { path } from "./path.ts";
import { RepeatedBody } from "./repeated-body.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
};

/** The files at the top of `public/`, kept in memory, served under names that change with their content so that browsers keep them for good. */
export class Assets {
  readonly #served = new Map<string, { body: RepeatedBody; type: string }>();
  readonly #paths = new Map<string, Path>();

  constructor(folder: URL) {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files) this.#add(name, readWhole(folder, name));
  }

  /** Path of a file of `public/`. Throws when there is none. */
  path(file: string): Path {
    const known = this.#paths.get(file);
    if (!known) throw new Error(`public/ has no file ${file}`);
    return known;
  }

  register(app: FastifyInstance): void {
    const config = { about: "a file of the pages: style, script or icon", access: "open" as const };
    app.get<{ Params: { file: string } }>("/assets/:file", { config }, (request, reply) => {
      const served = this.#served.get(request.params.file);
      if (!served) throw new NotFoundException(`File '${request.params.file}' not found`);
      reply.type(served.type).header("cache-control", "public, max-age=31536000, immutable");
      return reply.send(served.body.forReply(reply));
    });
  }

  #add(file: string, content: Buffer): void {
    const extension = extname(file);
    const name = `${file.slice(0, -extension.length)}.${hash("sha256", content).slice(0, 10)}${extension}`;
    this.#served.set(name, { body: new RepeatedBody(content), type: TYPES[extension] ?? "application/octet-stream" });
    this.#paths.set(file, path`/assets/${name}`);
  }
}

const IMPORT = /^@import "([^"]+)" layer\((\w+)\);$/gm;

/** A file; a style sheet with those that it imports in their places, so that a page asks for one. */
function readWhole(folder: URL, file: string): Buffer {
  const content = readFileSync(new URL(file, folder));
  if (extname(file) !== ".css") return content;
  const inlined = content.toString("utf8").replaceAll(IMPORT, (_, part: string, layer: string) => {
    return `@layer ${layer} {\n${readFileSync(new URL(part, folder), "utf8")}}`;
  });
  return Buffer.from(inlined);
}
