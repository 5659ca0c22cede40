import { globSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { memoryFolder } from "../test/support/memory-folder.ts";
import { keepPostgres } from "../test/support/shared-postgres.ts";
import { changedTests } from "./changed-tests.ts";
import { groupTests } from "./test-groups.ts";

/**
 * `npm test [-- PATH... [--test-name-pattern=NAME] [--changed [--base=COMMIT]]]`: runs all tests, or those whose path contains a PATH. With
 * `--changed`, runs the tests affected by uncommitted changes and by commits since `base`.
 */
const PATTERNS = ["e2e/**/*.test.ts", "test/**/*.test.ts", "src/**/*.test.ts"];
/**
 * Modules that are preloaded into each test process. The time limit kills a hanging process, because the `forceExit` option of node:test
 * sometimes loses the last results.
 */
const PRELOADED = ["../test/support/time-limit.ts", "../test/support/cheap-passwords.ts"].map(
  (path) => new URL(path, import.meta.url).href,
);
/** Time limit for a test file. The slowest files take up to two minutes, and ten times as long on a slow machine. */
const FILE_LIMIT_MS = 1_800_000;
/** Test processes share a compile cache, because most of them load the whole service. */
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url));

type Counts = { tests: number; skipped: number; todo: number; filesWithoutTests: string[] };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "test-name-pattern": { type: "string" }, changed: { type: "boolean" }, base: { type: "string", default: "HEAD" } },
});
const files = chosenFiles();
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
if (files.length > 0) await runOnServer();
else if (values.changed) process.stdout.write("The change affects no tests\n");
else fail(`No test file matches ${positionals.join(" ") || PATTERNS.join(" ")}`);

/** Starts PostgreSQL unless `TEST_DATABASE_URL` is set, and creates a temporary folder in memory unless `TMPDIR` is set. */
async function runOnServer(): Promise<void> {
  const server = process.env["TEST_DATABASE_URL"] === undefined ? await keepPostgres(process.pid) : undefined;
  if (server) process.env["TEST_DATABASE_URL"] = server.url;
  const folder = mkdtempSync(join(process.env["TMPDIR"] === undefined ? memoryFolder() : tmpdir(), "roomrack-tests-"));
  process.env[process.platform === "win32" ? "TEMP" : "TMPDIR"] = folder;
  try {
    checkCounts(await runAll(folder));
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function chosenFiles(): string[] {
  const requested = PATTERNS.flatMap((pattern) => globSync(pattern)).filter((file) => isRequested(file, positionals));
  if (!values.changed) return requested;
  const paths = requested.map((file) => file.replaceAll(sep, "/"));
  const chosen = changedTests(paths, values.base);
  process.stdout.write(`${chosen.length} of ${paths.length} test files are affected by the change\n`);
  return chosen;
}

function isRequested(file: string, parts: string[]): boolean {
  const path = file.replaceAll(sep, "/");
  return parts.length === 0 || parts.some((part) => path.includes(part.replace(/^\.\//, "")));
}

async function runAll(folder: string): Promise<Counts> {
  const pattern = values["test-name-pattern"];
  const stream = run({
    files: pattern === undefined ? groupTests(files, folder) : files,
    concurrency: availableParallelism() + 1,
    timeout: FILE_LIMIT_MS,
    execArgv: PRELOADED.flatMap((url) => ["--import", url]),
    signal: stop.signal,
    ...(pattern === undefined ? {} : { testNamePatterns: pattern }),
  });
  const counts: Counts = { tests: 0, skipped: 0, todo: 0, filesWithoutTests: [] };
  let testsInSuite = 0;
  stream.on("test:fail", () => (process.exitCode = 1));
  for (const type of ["test:pass", "test:fail"] as const) {
    stream.on(type, ({ name, nesting, details, skip, todo }) => {
      // The runner counts a file without tests as one test.
      const isFile = nesting === 0 && files.includes(name);
      if (isFile && testsInSuite === 0) counts.filesWithoutTests.push(name);
      if (!isFile && details.type !== "suite") counts.tests++;
      if (skip !== undefined) counts.skipped++;
      if (todo !== undefined) counts.todo++;
      testsInSuite = nesting === 0 ? 0 : testsInSuite + (details.type === "suite" ? 0 : 1);
    });
  }
  const report = stream.compose(new spec());
  report.pipe(process.stdout);
  await finished(report);
  return counts;
}

function checkCounts({ tests, skipped, todo, filesWithoutTests }: Counts): void {
  if (stop.signal.aborted) return fail("The run was interrupted");
  if (tests === 0) return fail("No tests ran");
  if (filesWithoutTests.length > 0 && values["test-name-pattern"] === undefined) return fail(`No tests in ${filesWithoutTests.join(", ")}`);
  if (skipped + todo > 0) return fail(`${skipped} skipped and ${todo} to do, but all tests must run`);
}

function fail(reason: string): void {
  process.stderr.write(`\n${reason}\n`);
  process.exitCode = 1;
}
