import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownFrames } from "../../../errors/describe/grouping.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const CODE = /\.(?:ts|mts|js|mjs|cjs)$/;
const CONTEXT_LINES = 5;
const MAX_EXCERPTS = 8;

export type Excerpt = { file: string; line: number; text: string };

/** Reads the source around each frame of a trace that is in this project, innermost first. */
export async function readExcerpts(trace: readonly string[]): Promise<Excerpt[]> {
  const frames = ownFrames(trace).slice(0, MAX_EXCERPTS);
  const excerpts = await Promise.all(frames.map(async ({ file, line }) => ({ file, line, text: await readExcerpt(file, line) })));
  return excerpts.filter((excerpt): excerpt is Excerpt => excerpt.text !== undefined);
}

async function readExcerpt(file: string, line: number): Promise<string | undefined> {
  if (!CODE.test(file) || line < 1) return undefined;
  try {
    const real = await realpath(file);
    if (!real.startsWith(join(await realpath(ROOT), "/"))) return undefined;
    return format((await readFile(real, "utf8")).split("\n"), line);
  } catch {
    return undefined;
  }
}

function format(lines: readonly string[], line: number): string | undefined {
  if (line > lines.length) return undefined;
  const first = Math.max(1, line - CONTEXT_LINES);
  const shown = lines.slice(first - 1, line + CONTEXT_LINES);
  const width = String(first + shown.length).length;
  return shown.map((text, index) => `${first + index === line ? ">" : " "} ${String(first + index).padStart(width)}  ${text}`).join("\n");
}
