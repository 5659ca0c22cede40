import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply } from "fastify";

/**
 * A column of a CSV file: its head, and the cell of a row. Text that a spreadsheet would run as a formula is disarmed;
 * numbers stay numbers, flags are true and false.
 */
export type CsvColumn<Row> = { head: string; cell(row: Row): CsvValue };

/** Rows come in batches of some hundreds, between which other requests are answered. */
export type CsvTable<Row> = { columns: readonly CsvColumn<Row>[]; batches: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]> };

/** Answers CSV for download: RFC 4180, UTF-8 with a byte order mark for spreadsheets. Nothing is sent before all of it is read. */
export async function sendCsv<Row>(reply: FastifyReply, name: string, { columns, batches }: CsvTable<Row>): Promise<FastifyReply> {
  const pieces = [`\ufeff${csvLine(columns.map(({ head }) => head))}`];
  for await (const rows of batches) {
    pieces.push(rows.map((row) => csvLine(columns.map((column) => column.cell(row)))).join(""));
    await nextTurn();
  }
  reply.header("content-disposition", `attachment; filename="${name}.csv"`).header("cache-control", "no-store");
  return reply.type("text/csv; charset=utf-8").send(pieces.join(""));
}

type CsvValue = string | number | boolean | undefined;

function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: CsvValue): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = value.replaceAll(FORMULA, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Where a formula begins. Where input methods write wide characters, spreadsheets run one that begins so; where the comma is for decimals,
 * they part cells at semicolons, whatever parts them in the file.
 */
const FORMULA = /(?<=^|;)(?=[=+\-@＝＋－＠\t\r\n])/g;
