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

/**
 * `npm test [-- PATH... [--test-name-pattern=NAME] [--changed [--base=COMMIT]]]`: runs all tests, or only files whose path contains one of
 * the given parts. With `--changed`, runs the files that a change can affect: uncommitted work, and commits since `base`.
 */
const PATTERNS = ["e2e/**/*.test.ts", "test/**/*.test.ts", "src/**/*.test.ts"];
/** Ends test files that do not end by themselves. `forceExit` of node:test sometimes loses the last results of a file. */
const TIME_LIMIT = new URL("../test/support/time-limit.ts", import.meta.url).href;
/** Ends hanging processes. The slowest files take a minute or two, or ten times as long on a slow machine. */
const FILE_LIMIT_MS = 1_800_000;
/** Test processes share compiled code, because most of them load the whole service. */
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url));

/** `empty` are files without tests, which node:test counts as passed tests. */
type Counts = { tests: number; skipped: number; todo: number; empty: string[] };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "test-name-pattern": { type: "string" }, changed: { type: "boolean" }, base: { type: "string", default: "HEAD" } },
});
const files = chosenFiles();
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
if (files.length > 0) await runOnServer();
else if (values.changed) process.stdout.write("No test can be affected by the change\n");
else fail(`No test file matches ${positionals.join(" ") || PATTERNS.join(" ")}`);

/**
 * All test files share one PostgreSQL server: `TEST_DATABASE_URL`, or one started for this run. Their temporary files are in one folder,
 * which is deleted afterwards. It is in memory unless `TMPDIR` is set.
 */
async function runOnServer(): Promise<void> {
  const server = process.env["TEST_DATABASE_URL"] === undefined ? await keepPostgres(process.pid) : undefined;
  if (server) process.env["TEST_DATABASE_URL"] = server.url;
  const folder = mkdtempSync(join(process.env["TMPDIR"] === undefined ? memoryFolder() : tmpdir(), "roomrack-tests-"));
  process.env[process.platform === "win32" ? "TEMP" : "TMPDIR"] = folder;
  try {
    judge(await runAll());
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
  process.stdout.write(`${chosen.length} of ${paths.length} test files can be affected by the change\n`);
  return chosen;
}

function isRequested(file: string, parts: string[]): boolean {
  const path = file.replaceAll(sep, "/");
  return parts.length === 0 || parts.some((part) => path.includes(part.replace(/^\.\//, "")));
}

async function runAll(): Promise<Counts> {
  const pattern = values["test-name-pattern"];
  const stream = run({
    files,
    concurrency: availableParallelism() + 1,
    timeout: FILE_LIMIT_MS,
    execArgv: ["--import", TIME_LIMIT],
    signal: stop.signal,
    ...(pattern === undefined ? {} : { testNamePatterns: pattern }),
  });
  const empty: string[] = [];
  let counts: Counts = { tests: 0, skipped: 0, todo: 0, empty };
  stream.on("test:fail", () => (process.exitCode = 1));
  stream.on("test:pass", ({ name }) => {
    if (files.includes(name)) empty.push(name);
  });
  stream.on("test:summary", (summary) => {
    if (summary.file === undefined) counts = { ...summary.counts, empty };
  });
  const report = stream.compose(new spec());
  report.pipe(process.stdout);
  await finished(report);
  return counts;
}

function judge({ tests, skipped, todo, empty }: Counts): void {
  if (stop.signal.aborted) return fail("The run was interrupted");
  if (tests === empty.length) return fail("No test ran");
  if (empty.length > 0 && values["test-name-pattern"] === undefined) return fail(`No test in ${empty.join(", ")}`);
  if (skipped + todo > 0) return fail(`${skipped} skipped and ${todo} to do: all tests must run`);
}

function fail(reason: string): void {
  process.stderr.write(`\n${reason}\n`);
  process.exitCode = 1;
}
