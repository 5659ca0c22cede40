import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path/posix";

/** Files whose changes can affect every test. */
const COMMON = new Set([
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "scripts/test.ts",
  "scripts/test-groups.ts",
  "test/support/time-limit.ts",
  "test/support/cheap-passwords.ts",
]);

/** Matches strings that may be a file, a folder or a glob. Omits strings with a leading slash, which are URL paths. */
const PATH_LITERAL = /(["'`])((?!\/)[\w@.*{},/-]*[./][\w@.*{},/-]*)\1/g;

/** Returns the tests affected by uncommitted changes and by commits on this branch that are not on `base`. */
export function changedTests(tests: readonly string[], base: string): string[] {
  const changed = changedFiles(base);
  if (changed.some((path) => COMMON.has(path))) return [...tests];
  const affected = affectedFiles(changed, readSources());
  return tests.filter((test) => affected.has(test));
}

/** Returns the changed files and their dependents. A file depends on every module, script, document and folder that appears in its strings. */
export function affectedFiles(changed: readonly string[], sources: ReadonlyMap<string, string>): Set<string> {
  const dependencies = new Map([...sources].map(([path, text]) => [path, namedPaths(path, text)]));
  const affected = new Set(changed);
  for (const path of affected) {
    const names = new Set([path, ...foldersOf(path)]);
    for (const [dependent, named] of dependencies) if (!named.isDisjointFrom(names)) affected.add(dependent);
  }
  return affected;
}

/** Omits folders that contain the file itself. Otherwise the file would depend on everything in them. */
function namedPaths(path: string, text: string): Set<string> {
  const literals = [...text.matchAll(PATH_LITERAL)].map(([, , literal]) => literal!);
  const named = literals.flatMap((literal) => pathsOf(literal, path)).map((name) => name.replace(/\/$/, ""));
  return new Set(named).difference(new Set([".", ...foldersOf(path)]));
}

/**
 * Resolves a path relative to the file and to the root. A glob resolves to the folder before its first `*`. Folders such as `src/` count
 * only in tests.
 */
function pathsOf(literal: string, path: string): string[] {
  const name = literal.replace(/[^/]*\*.*/, "");
  if (literal.startsWith(".")) return [join(dirname(path), name)];
  const isFolder = literal.includes("*") || (literal.endsWith("/") && path.endsWith(".test.ts"));
  return isFolder || extname(name) !== "" ? [join(dirname(path), name), join(name)] : [];
}

/** Returns the enclosing folders, innermost first, without the root. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}

function changedFiles(base: string): string[] {
  const differing = git("diff", "--name-only", "--no-renames", "--merge-base", base);
  return [...differing, ...git("ls-files", "--others", "--exclude-standard")];
}

function readSources(): Map<string, string> {
  const paths = git("ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.mjs");
  return new Map(paths.filter((path) => existsSync(path)).map((path) => [path, readFileSync(path, "utf8")]));
}

function git(...args: string[]): string[] {
  return execFileSync("git", ["-c", "core.quotePath=false", ...args], { encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\n")
    .filter(Boolean);
}
