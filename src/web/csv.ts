import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { plainNumber } from "../text.ts";

type CsvValue = string | number | boolean | undefined;

export type CsvColumn<Row> = { head: string; cell(row: Row): CsvValue };

/** Other requests are served between batches, so batches should have at most a few hundred rows. */
type CsvTable<Row> = { columns: readonly CsvColumn<Row>[]; batches: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]> };

/**
 * Sends CSV (RFC 4180) with a byte order mark for spreadsheets. Reads all batches first, so that a failure still returns an error status.
 */
export async function sendCsv<Row>(reply: FastifyReply, name: string, { columns, batches }: CsvTable<Row>): Promise<FastifyReply> {
  const lines = [`\ufeff${csvLine(columns.map(({ head }) => head))}`];
  for await (const rows of batches) {
    lines.push(rows.map((row) => csvLine(columns.map((column) => column.cell(row)))).join(""));
    await nextTurn();
  }
  reply.header("content-disposition", `attachment; filename="${name}.csv"`).header("cache-control", "no-store");
  return reply.type("text/csv; charset=utf-8").send(lines.join(""));
}

export function csvText(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map(csvLine).join("");
}

function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return plainNumber(value);
  if (typeof value === "boolean") return String(value);
  const safeText = escapeFormulas(value);
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}

/** Inserts an apostrophe wherever a spreadsheet might interpret the text as a formula. */
function escapeFormulas(text: string): string {
  return text.replaceAll(FORMULA_PATTERN, "'");
}

/** Reverts `escapeFormulas`. */
export function unescapeFormulas(text: string): string {
  return text.replaceAll(ESCAPED_FORMULA_PATTERN, "");
}

/**
 * Matches positions where a spreadsheet may start a formula. Some locales accept full-width signs, or split cells at semicolons. Text that
 * already looks escaped is escaped again, so that an import restores it exactly.
 */
const FORMULA_PATTERN = /(?<=^|;)(?='*[=+\-@＝＋－＠\t\r\n])/g;
const ESCAPED_FORMULA_PATTERN = /(?<=^|;)'(?='*[=+\-@＝＋－＠\t\r\n])/g;
