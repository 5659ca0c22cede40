import { type Kysely, sql } from "kysely";
import type { Row, Statement, SqlValue } from "./database.ts";
import type { Tables } from "./schema.ts";

export async function runStatements(db: Kysely<Tables>, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await runStatement(db, statement);
}

export async function runStatement(db: Kysely<Tables>, statement: Statement): Promise<Row[]> {
  const parts = statement.sql.split("?");
  return (await sql<Row>(Object.assign(parts, { raw: parts }), ...statement.values).execute(db)).rows;
}

/** Pads `in (...)` lists to these lengths, to limit the number of prepared statements. */
const LIST_LENGTHS = [1, 4, 16, 64];
const LONGEST_LIST = 64;

export function inCondition(column: string, values: readonly string[]): { sql: string; values: readonly string[] } {
  const length = LIST_LENGTHS.find((candidate) => candidate >= values.length);
  if (length === undefined) return { sql: "", values: [] };
  const paddedValues = values.length === length ? values : [...values, ...Array<string>(length - values.length).fill(values[0]!)];
  return { sql: ` and ${column} in (${placeholders(length)})`, values: paddedValues };
}

export function deleteByKey(table: string, column: string, keys: readonly number[]): Statement[] {
  return updateByKey(`delete from ${table} where ${column}`, keys);
}

export function updateByKey(start: string, keys: readonly number[]): Statement[] {
  const statements: Statement[] = [];
  for (let offset = 0; offset < keys.length; offset += LONGEST_LIST) {
    const chunk = keys.slice(offset, offset + LONGEST_LIST);
    const values = [...chunk, ...Array<number>(LONGEST_LIST - chunk.length).fill(chunk[0]!)];
    statements.push({ sql: `${start} in (${placeholders(LONGEST_LIST)})`, values });
  }
  return statements;
}

export type InsertTemplate = {
  into: string;
  columns: number;
  conflict: string;
  records?: true;
};

/** Inserts rows in statements of 32, 16, ... 1 rows, to limit the number of prepared statements. */
export function insertRows(insert: InsertTemplate, rows: readonly (readonly SqlValue[])[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0, size = 32; start < rows.length;) {
    while (size > rows.length - start) size /= 2;
    const values = size === 1 ? rows[start]! : rows.slice(start, start + size).flat();
    statements.push({ sql: cachedInsert(insert, size), values, records: insert.records });
    start += size;
  }
  return statements;
}

const cachedInserts = new WeakMap<InsertTemplate, Map<number, string>>();

function cachedInsert(insert: InsertTemplate, size: number): string {
  const cachedStatements = cachedInserts.getOrInsertComputed(insert, () => new Map<number, string>());
  return cachedStatements.getOrInsertComputed(size, () => insertText(insert, size));
}

function insertText({ into, columns, conflict }: InsertTemplate, size: number): string {
  const row = `(${placeholders(columns)})`;
  return `${into} values ${Array(size).fill(row).join(", ")}${conflict}`;
}

const placeholderLists: string[] = [];

function placeholders(count: number): string {
  return (placeholderLists[count] ??= Array(count).fill("?").join(", "));
}

/** Replaces NUL with U+FFFD. PostgreSQL can't store NUL, and SQLite patterns end at NUL. */
export function toStorable<T>(value: T): T {
  return typeof value === "string" ? (value.replaceAll("\0", "\u{fffd}") as T) : value;
}
