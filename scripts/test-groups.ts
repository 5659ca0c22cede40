import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Test files share a process, because loading the service takes longer than most tests. Larger groups would use the cores less evenly. */
const MAX_GROUP = 12;

/** Matches files that start processes, measure CPU time or memory, or change the state of the whole process. */
const ISOLATED =
  /process\.(?:on|once|env|memoryUsage)\b|\bimport \{[^}]*\bmock\b[^}]*\} from "node:test"|"node:(?:child_process|cluster|worker_threads)"|syncBuiltinESMExports|\/(?:cpu|process)\.ts"|\.\/page-checks\.ts/;
const BROWSER = /support\/browser\.ts|\.\/site\.ts/;

/** Modules with top-level hooks. They are loaded outside all suites, so that their hooks run after the last file of a group. */
const SHARED_HOOKS = ["test/support/app.ts"];
const BROWSER_HOOKS = [...SHARED_HOOKS, "test/support/browser.ts"];

/** Returns the files to run in separate processes: isolated test files, and scripts in `folder` that each run a group of test files. */
export function groupTests(files: readonly string[], folder: string): string[] {
  const kinds = Object.groupBy(files, (file) => kindOf(readFileSync(file, "utf8")));
  return [
    ...(kinds.isolated ?? []),
    ...divide(kinds.browser ?? []).map((group, index) => scriptFor(group, join(folder, `browser-${index}.test.mjs`), BROWSER_HOOKS)),
    ...divide(kinds.shared ?? []).map((group, index) => scriptFor(group, join(folder, `group-${index}.test.mjs`), SHARED_HOOKS)),
  ];
}

function kindOf(text: string): "isolated" | "browser" | "shared" {
  if (ISOLATED.test(text)) return "isolated";
  return BROWSER.test(text) ? "browser" : "shared";
}

/** Puts adjacent files in different groups, because they often take about the same time. */
function divide(files: readonly string[]): string[][] {
  const count = Math.min(files.length, Math.max(availableParallelism(), Math.ceil(files.length / MAX_GROUP)));
  return Array.from({ length: count }, (_, group) => files.filter((_file, index) => index % count === group));
}

/** Returns the path of a single file unchanged, because it needs no script. */
function scriptFor(files: readonly string[], path: string, hooks: readonly string[]): string {
  if (files.length === 1) return files[0]!;
  writeGroup(path, files, hooks);
  return path;
}

/**
 * Writes a script that runs each file as a suite with the file's name. Files are loaded one at a time, because a module with a top-level
 * await would otherwise register the tests of other files in its suite.
 */
export function writeGroup(path: string, files: readonly string[], hooks: readonly string[]): void {
  const urlOf = (file: string) => JSON.stringify(pathToFileURL(resolve(file)).href);
  const suites = files.map((file) => `await load(${JSON.stringify(file)}, () => import(${urlOf(file)}));`);
  const lines = [
    'import { before, describe } from "node:test";',
    ...hooks.map((hook) => `import ${urlOf(hook)};`),
    "const loaded = Promise.withResolvers();",
    "before(() => loaded.promise);",
    "const load = (file, register) => new Promise((resolve) => describe(file, () => register().finally(resolve)));",
    ...suites,
    "loaded.resolve();",
    "",
  ];
  writeFileSync(path, lines.join("\n"));
}
