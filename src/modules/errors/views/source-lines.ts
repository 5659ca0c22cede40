import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownFrames } from "../../../errors/describe/grouping.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const CODE = /\.(?:ts|mts|js|mjs|cjs)$/;
const AROUND = 5;
const MOST = 8;

/** The lines around a place in the code, each with its number, the one in question marked. */
export type Excerpt = { file: string; line: number; text: string };

/** Of the places of a trace in this project, the innermost first; those of packages are left out. */
export async function readExcerpts(trace: readonly string[]): Promise<Excerpt[]> {
  const places = ownFrames(trace).slice(0, MOST);
  const read = await Promise.all(places.map(async ({ file, line }) => ({ file, line, text: await readExcerpt(file, line) })));
  return read.filter((one): one is Excerpt => one.text !== undefined);
}

/** Undefined unless it is code of this project. */
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
  const first = Math.max(1, line - AROUND);
  const shown = lines.slice(first - 1, line + AROUND);
  const width = String(first + shown.length).length;
  return shown.map((text, index) => `${first + index === line ? ">" : " "} ${String(first + index).padStart(width)}  ${text}`).join("\n");
}
