import { globSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** `path` is relative to the root and uses `/`. `code` is the text without comments. */
export type Source = { path: string; text: string; code: string; imports: readonly string[] };

/** Reads the matching files in order. `imports` contains paths relative to the root, or package names. */
export function readSources(pattern: string): Source[] {
  const paths = globSync(pattern, { cwd: ROOT }).map((path) => path.replaceAll(sep, "/"));
  return paths.toSorted().map((path) => {
    const text = readFileSync(ROOT + path, "utf8");
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    return { path, text, code, imports: readImports(path, code) };
  });
}

function readImports(path: string, code: string): string[] {
  const found = [...code.matchAll(/^(?:import|export)\b[^;"]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm)];
  const named = found.map((match) => match[1] ?? match[2] ?? match[3]!);
  return named.map((name) => (name.startsWith(".") ? posix.join(posix.dirname(path), name) : name));
}
