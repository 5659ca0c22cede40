import { parseArgs } from "node:util";
import { fixedClock, systemClock } from "../../clock.ts";
import { messageOf } from "../../web/http-error.ts";
import { type Command, UsageError } from "../command.ts";
import { parseProfile } from "../sender-profile.ts";
import { type Result, runFolder } from "./run.ts";

const USAGE = "[--profile PROFILE] [--set SETTING=VALUE ...] FOLDER";

export const conformanceCommand: Command = {
  name: "conformance",
  usage: `conformance ${USAGE}`,
  about: "send a folder of messages to a fresh service and check the responses against its SOURCES.tsv",
  async run(args) {
    const { folder, profile } = readWords(args);
    const results = await runFolder(folder, { clock: fixedClock(systemClock.now()), profile });
    console.log(describeMismatches(results) + resultTable(results));
    return results.some(isMismatch) ? 1 : 0;
  },
};

function readWords(args: readonly string[]) {
  const options = { profile: { type: "string" }, set: { type: "string", multiple: true } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) throw new UsageError("Specify one folder.");
    return { folder, profile: parseProfile(values) };
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\nUsage: npm run conformance -- ${USAGE}`);
  }
}

const COLUMNS = [
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
const MAX_ANSWER_LENGTH = 1_500;

export function isMismatch({ mismatches, exception }: Result): boolean {
  return mismatches.length > 0 && exception === undefined;
}

export function resultTable(results: readonly Result[]): string {
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
  const lines = [COLUMNS, ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  "))
    .join("\n");
}

function resultRow(source: string, results: readonly Result[]): string[] {
  const count = (test: (result: Result) => boolean) => String(results.filter(test).length);
  const total = (value: (result: Result) => number) => String(results.reduce((sum, result) => sum + value(result), 0));
  return [
    source,
    String(results.length),
    count(({ outcome }) => outcome === "accepted" || outcome === "either"),
    count(({ outcome }) => outcome === "refused"),
    count(({ outcome }) => outcome === "unclear"),
    total(({ facts }) => facts),
    total(({ validated }) => validated),
    count(({ mismatches }) => mismatches.length === 0),
    count((result) => result.mismatches.length > 0 && !isMismatch(result)),
    count(isMismatch),
  ];
}

export function describeMismatches(results: readonly Result[]): string {
  return results
    .filter(({ mismatches }) => mismatches.length > 0)
    .map((result) => `${describe(result)}\n\n`)
    .join("");
}

function describe({ file, expected, mismatches, exception, answer }: Result): string {
  const label = exception === undefined ? "MISSED" : "EXCEPTION";
  const reason = exception === undefined ? [] : [`  reason: ${exception}`];
  return [
    file,
    `  expected: ${expected}`,
    ...mismatches.map((mismatch) => `  ${label}: ${mismatch}`),
    ...reason,
    `  response: ${answer.slice(0, MAX_ANSWER_LENGTH)}`,
  ].join("\n");
}
