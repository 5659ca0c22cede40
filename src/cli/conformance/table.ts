import type { Result } from "./run.ts";

const COLUMNS = ["source", "messages", "to accept", "to refuse", "values", "valid XSD", "as expected", "missed"] as const;
const SHOWN = 1_500;

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
    total(({ facts }) => facts),
    total(({ validated }) => validated),
    count(({ misses }) => misses.length === 0),
    count(({ misses }) => misses.length > 0),
  ];
}

/** Each miss with what was expected and what was answered. */
export function missesOf(results: readonly Result[]): string {
  return results
    .filter(({ misses }) => misses.length > 0)
    .map(
      ({ file, expected, misses, answer }) =>
        `${file}\n  expected: ${expected}\n${misses.map((miss) => `  MISSED: ${miss}`).join("\n")}\n  answer: ${shorten(answer)}`,
    )
    .join("\n\n");
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
