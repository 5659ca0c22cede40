import type { FastifyReply } from "fastify";
import type { Faults } from "./form.ts";

/** Answers JSON, indented for people. */
export function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply
    .type("application/json; charset=utf-8")
    .header("vary", "accept")
    .header("cache-control", "no-store")
    .send(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Answers what is wrong with fields of a form or a query, by their names. */
export function sendFaults(reply: FastifyReply, faults: Faults): FastifyReply {
  return sendJson(reply.code(422), { errors: faults });
}

/**
 * A column of a CSV file: its head, and the cell of a row. Text that a spreadsheet would run as a formula is disarmed;
 * numbers stay numbers, in text too, flags are 1 and 0.
 */
export type CsvColumn<Row> = { head: string; cell(row: Row): string | number | boolean | undefined };

/** Answers CSV for download: RFC 4180, UTF-8 with a byte order mark for spreadsheets. */
export function sendCsv<Row>(
  reply: FastifyReply,
  name: string,
  table: { columns: readonly CsvColumn<Row>[]; rows: Iterable<Row> },
): FastifyReply {
  const lines = [table.columns.map((column) => csvCell(column.head)).join(",")];
  for (const row of table.rows) lines.push(table.columns.map((column) => csvCell(column.cell(row))).join(","));
  reply.header("content-disposition", `attachment; filename="${name}.csv"`).header("cache-control", "no-store");
  return reply.type("text/csv; charset=utf-8").send(`\ufeff${lines.join("\r\n")}\r\n`);
}

function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(Number(value));
  const safe = /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A sign and digits with single points and blanks between: a coordinate, a telephone number. */
const NUMBER = /^[+-]\d+(?:[ .]\d+)*$/;
