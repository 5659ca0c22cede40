import type { Result } from "./run.ts";

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
const SHOWN = 1_500;

/** Whether it is not as expected, without a reason that is known. */
export function isMissed({ misses, exception }: Result): boolean {
  return misses.length > 0 && exception === undefined;
}

/** A line for each source and one for all of them. */
export function tableOf(results: readonly Result[]): string {
  const sources = [...new Set(results.map(({ source }) => source))];
  const rows = [
    ...sources.map((source) =>
      rowOf(
        source,
        results.filter((one) => one.source === source),
      ),
    ),
    rowOf("all", results),
  ];
  const lines = [COLUMNS, ...rows];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) => line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  "))
    .join("\n");
}

function rowOf(source: string, results: readonly Result[]): string[] {
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
    count(({ misses }) => misses.length === 0),
    count((result) => result.misses.length > 0 && !isMissed(result)),
    count(isMissed),
  ];
}

/** Each miss with what was expected and what was answered. */
export function missesOf(results: readonly Result[]): string {
  return results
    .filter(({ misses }) => misses.length > 0)
    .map((result) => `${describe(result)}\n\n`)
    .join("");
}

function describe({ file, expected, misses, exception, answer }: Result): string {
  const word = exception === undefined ? "MISSED" : "EXCEPTION";
  const reason = exception === undefined ? [] : [`  reason: ${exception}`];
  return [file, `  expected: ${expected}`, ...misses.map((miss) => `  ${word}: ${miss}`), ...reason, `  answer: ${shorten(answer)}`].join(
    "\n",
  );
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
