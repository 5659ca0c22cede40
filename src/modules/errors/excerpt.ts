import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CODE = /\.(?:ts|mts|js|mjs|cjs)$/;
const AROUND = 5;

/** The lines around `line`, each with its number, the one in question marked; undefined unless it is code of this project. */
export async function readExcerpt(file: string, line: number): Promise<string | undefined> {
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
