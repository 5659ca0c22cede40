import { type Kysely, sql } from "kysely";
import type { Row, Statement, Value } from "./database.ts";
import type { Tables } from "./schema.ts";

/** Runs statements in the transaction `db`. */
export async function runStatements(db: Kysely<Tables>, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await runStatement(db, statement);
}

/** Runs one statement and answers its rows. */
export async function runStatement(db: Kysely<Tables>, statement: Statement): Promise<Row[]> {
  const parts = statement.sql.split("?");
  return (await sql<Row>(Object.assign(parts, { raw: parts }), ...statement.values).execute(db)).rows;
}

/** Lists in `in (...)` are filled up to these lengths, so that few texts of SQL are prepared. */
const LENGTHS = [1, 4, 16, 64];
const LONGEST = 64;

/** `column in (?, ...)` with its values; no condition when there are too many values. */
export function oneOf(column: string, values: readonly string[]): { sql: string; values: readonly string[] } {
  const length = LENGTHS.find((one) => one >= values.length);
  if (length === undefined) return { sql: "", values: [] };
  const filled = values.length === length ? values : [...values, ...Array<string>(length - values.length).fill(values[0]!)];
  return { sql: ` and ${column} in (${marks(length)})`, values: filled };
}

/** `delete from table where column in (...)`, in statements of 64 keys. */
export function deleteByKey(table: string, column: string, keys: readonly number[]): Statement[] {
  return updateByKey(`delete from ${table} where ${column}`, keys);
}

/** `beginning in (...)`, in statements of 64 keys; the last list is filled up as in `oneOf`. */
export function updateByKey(beginning: string, keys: readonly number[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < keys.length; start += LONGEST) {
    const some = keys.slice(start, start + LONGEST);
    const values = [...some, ...Array<number>(LONGEST - some.length).fill(some[0]!)];
    statements.push({ sql: `${beginning} in (${marks(LONGEST)})`, values });
  }
  return statements;
}

export type Insert = {
  /** Up to and without `values`. */
  into: string;
  columns: number;
  /** The SQL after the rows. */
  conflict: string;
  /** As in `Statement`. */
  records?: true;
};

/** Inserts rows in statements of 32, 16, ... 1 rows, so that few texts of SQL are prepared. */
export function insertRows(insert: Insert, rows: readonly (readonly Value[])[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0, size = 32; start < rows.length;) {
    while (size > rows.length - start) size /= 2;
    const values = size === 1 ? rows[start]! : rows.slice(start, start + size).flat();
    statements.push({ sql: insertOf(insert, size), values, records: insert.records });
    start += size;
  }
  return statements;
}

const inserts = new WeakMap<Insert, Map<number, string>>();

function insertOf(insert: Insert, size: number): string {
  const known = inserts.getOrInsertComputed(insert, () => new Map<number, string>());
  return known.getOrInsertComputed(size, () => textOf(insert, size));
}

function textOf({ into, columns, conflict }: Insert, size: number): string {
  const row = `(${marks(columns)})`;
  return `${into} values ${Array(size).fill(row).join(", ")}${conflict}`;
}

/** By their number; all numbers are below 1,000. */
const lists: string[] = [];

function marks(count: number): string {
  return (lists[count] ??= Array(count).fill("?").join(", "));
}
