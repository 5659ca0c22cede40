import { globSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keepPostgres } from "../test/support/shared-postgres.ts";

/** `npm test [-- PATH... [--test-name-pattern=NAME]]`: runs all tests, or those in files whose path has one of the given parts. */
const PATTERNS = ["e2e/**/*.test.ts", "test/**/*.test.ts", "src/**/*.test.ts"];
/** Ends a file that does not end by itself. `forceExit` of node:test would, too, but loses the last results of a file now and then. */
const TIME_LIMIT = new URL("../test/support/time-limit.ts", import.meta.url).href;
const TEST_LIMIT_MS = 240_000;
/** Every file is a process of its own, and most load the whole service: what one has compiled, as a start has, no other compiles again. */
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url));

/** `empty` are files in which no test was found; node:test counts each as a test that passed. */
type Counts = { tests: number; skipped: number; todo: number; empty: string[] };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { "test-name-pattern": { type: "string" } } });
const files = PATTERNS.flatMap((pattern) => globSync(pattern)).filter((file) => isAsked(file, positionals));
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
if (files.length === 0) fail(`No test file matches ${positionals.join(" ") || PATTERNS.join(" ")}`);
else await runOnServer();

/**
 * All test files share one PostgreSQL: that of `TEST_DATABASE_URL`, else one made for this run.
 * What they leave in the folder for temporary files, a test that failed half-way above all, goes with the run.
 */
async function runOnServer(): Promise<void> {
  const server = process.env["TEST_DATABASE_URL"] === undefined ? await keepPostgres(process.pid) : undefined;
  if (server) process.env["TEST_DATABASE_URL"] = server.url;
  const folder = mkdtempSync(join(tmpdir(), "roomrack-tests-"));
  process.env[process.platform === "win32" ? "TEMP" : "TMPDIR"] = folder;
  try {
    judge(await runAll());
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAsked(file: string, parts: string[]): boolean {
  const path = file.replaceAll(sep, "/");
  return parts.length === 0 || parts.some((part) => path.includes(part.replace(/^\.\//, "")));
}

async function runAll(): Promise<Counts> {
  const pattern = values["test-name-pattern"];
  const stream = run({
    files,
    concurrency: Math.max(2, availableParallelism()),
    timeout: TEST_LIMIT_MS,
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
  if (skipped + todo > 0) return fail(`${skipped} skipped and ${todo} to do: every test has to run`);
}

function fail(reason: string): void {
  process.stderr.write(`\n${reason}\n`);
  process.exitCode = 1;
}
