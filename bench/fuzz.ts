import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "../src/cli/command.ts";
import { stopwatch } from "../src/clock.ts";
import { errorMessage } from "../src/web/http-error.ts";
import { type FuzzReport, fuzz } from "../test/support/fuzz/fuzz.ts";

/** `--keep` is the folder for inputs that cause findings. */
const USAGE = "npm run fuzz -- [--inputs N] [--samples FOLDER] [--seed N] [--keep FOLDER]";
const values = readOptions();
const inputs = readNumber("inputs", values.inputs ?? "100000");
const seed = readNumber("seed", values.seed ?? "1");
const MEGABYTE = 1024 * 1024;
/** Memory that caches and compiled code may add after the first fifth of the inputs. */
const GROWTH_LIMIT = 48 * MEGABYTE;

const elapsed = stopwatch();
let reportedAt = 0;
const report = await fuzz({ inputs, seed, samples: values.samples, progress }).catch(refuseSamples);
describe(report);
keep(report);
process.exitCode = report.findings.length === 0 && growth(report) < GROWTH_LIMIT ? 0 : 1;

function readOptions() {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ options: { inputs: text, samples: text, seed: text, keep: text } }).values;
  } catch (error) {
    return refuse(errorMessage(error));
  }
}

function readNumber(name: string, text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : refuse(`--${name} must be a whole number of at least 1, not '${text}'.`);
}

function refuseSamples(error: unknown): never {
  if (error instanceof UsageError) return refuse(error.message);
  throw error;
}

function refuse(reason: string): never {
  console.error(`${reason}\nUsage: ${USAGE}`);
  process.exit(2);
}

function progress(done: number): void {
  if (done < inputs && elapsed() - reportedAt < 10_000) return;
  reportedAt = elapsed();
  console.log(`${done} of ${inputs} inputs, ${(reportedAt / 1000).toFixed(0)} s`);
}

function describe({ statuses, findings, accepted, slowest, memory }: FuzzReport): void {
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`Responses by status: ${counts.join(", ")}`);
  console.log(
    `Accepted: ${accepted}. Slowest: ${slowest.milliseconds.toFixed(0)} ms. Memory in use: ${mib(memory.early)} after a fifth, ${mib(memory.late)} at the end.`,
  );
  console.log(`Findings: ${findings.length}`);
  for (const { problem, input, answer } of findings)
    console.log(`  ${problem}: ${JSON.stringify(input.headers)} -> ${answer.slice(0, 300)}`);
}

function keep({ findings, slowest }: FuzzReport): void {
  if (values.keep === undefined) return;
  mkdirSync(values.keep, { recursive: true });
  if (slowest.input) writeFileSync(join(values.keep, `${seed}-slowest.bin`), slowest.input.body);
  for (const [index, { input }] of findings.entries()) writeFileSync(join(values.keep, `${seed}-${index}.bin`), input.body);
}

function growth({ memory }: FuzzReport): number {
  return memory.late - memory.early;
}

function mib(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MiB`;
}
