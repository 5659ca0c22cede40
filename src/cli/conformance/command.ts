import { parseArgs } from "node:util";
import { fixedClock, systemClock } from "../../clock.ts";
import { errorMessage } from "../../web/http-error.ts";
import { type Command, UsageError } from "../command.ts";
import { parseProfile } from "../sender-profile.ts";
import { type RunResult, runFolder } from "./run.ts";

const CONFORMANCE_USAGE = "[--profile PROFILE] [--set SETTING=VALUE ...] FOLDER";

export const conformanceCommand: Command = {
  name: "conformance",
  usage: `conformance ${CONFORMANCE_USAGE}`,
  about: "send the messages in a folder to a fresh service and check the responses against the folder's SOURCES.tsv",
  async run(args) {
    const { folder, profile } = parseArguments(args);
    const results = await runFolder(folder, { clock: fixedClock(systemClock.now()), profile });
    console.log(describeMismatches(results) + resultTable(results));
    return results.some(hasMismatch) ? 1 : 0;
  },
};

function parseArguments(args: readonly string[]) {
  const options = { profile: { type: "string" }, set: { type: "string", multiple: true } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) throw new UsageError("Specify one folder.");
    return { folder, profile: parseProfile(values) };
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}\nUsage: npm run conformance -- ${CONFORMANCE_USAGE}`);
  }
}

const RESULT_COLUMNS = [
  "source",
  "messages",
  "to accept",
  "to refuse",
  "unclear",
  "values",
  "valid XSD",
  "as expected",
  "excepted",
  "missed",
] as const;
const MAX_RESPONSE_LENGTH = 1_500;

export function hasMismatch({ mismatches, exception }: RunResult): boolean {
  return mismatches.length > 0 && exception === undefined;
}

export function resultTable(results: readonly RunResult[]): string {
  const sources = [...new Set(results.map(({ source }) => source))];
  const rows = [
    ...sources.map((source) =>
      resultRow(
        source,
        results.filter((result) => result.source === source),
      ),
    ),
    resultRow("all", results),
  ];
  const lines = [RESULT_COLUMNS, ...rows];
  const widths = RESULT_COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  "))
    .join("\n");
}

function resultRow(source: string, results: readonly RunResult[]): string[] {
  const count = (test: (result: RunResult) => boolean) => String(results.filter(test).length);
  const total = (value: (result: RunResult) => number) => String(results.reduce((sum, result) => sum + value(result), 0));
  return [
    source,
    String(results.length),
    count(({ outcome }) => outcome === "accepted" || outcome === "either"),
    count(({ outcome }) => outcome === "refused"),
    count(({ outcome }) => outcome === "unclear"),
    total(({ facts }) => facts),
    total(({ validated }) => validated),
    count(({ mismatches }) => mismatches.length === 0),
    count((result) => result.mismatches.length > 0 && !hasMismatch(result)),
    count(hasMismatch),
  ];
}

export function describeMismatches(results: readonly RunResult[]): string {
  return results
    .filter(({ mismatches }) => mismatches.length > 0)
    .map((result) => `${describeResult(result)}\n\n`)
    .join("");
}

function describeResult({ file, expected, mismatches, exception, answer }: RunResult): string {
  const label = exception === undefined ? "MISSED" : "EXCEPTION";
  const reason = exception === undefined ? [] : [`  reason: ${exception}`];
  return [
    file,
    `  expected: ${expected}`,
    ...mismatches.map((mismatch) => `  ${label}: ${mismatch}`),
    ...reason,
    `  response: ${answer.slice(0, MAX_RESPONSE_LENGTH)}`,
  ].join("\n");
}
