import { hash } from "node:crypto";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { SchemaTable } from "./catalog.ts";
import type { Database, Row } from "./database.ts";
import type { Tables } from "./schema.ts";

/** `key` is empty for a table that has at most one row. */
export type CopiedTable = { name: string; columns: readonly string[]; key: readonly string[] };

const TABLES_NOT_COPIED: ReadonlySet<string> = new Set(["copy_progress", "counter"]);
/** Number of rows per batch. Small, because a whole batch is kept in memory and message bodies can be large. */
const BATCH_SIZE = 100;

/** Lists the tables to copy. Tables with foreign keys come last. */
export async function listTables({ catalog, read }: Database): Promise<CopiedTable[]> {
  const tables = (await catalog.read(read)).filter(({ name, kind }) => kind === "table" && !TABLES_NOT_COPIED.has(name));
  return [...tables.filter((table) => !hasReferences(table)), ...tables.filter(hasReferences)].map((table) => ({
    name: table.name,
    columns: table.columns.map(({ name }) => name),
    key: primaryKey(table),
  }));
}

function hasReferences({ constraints }: SchemaTable): boolean {
  return constraints.some((constraint) => constraint.startsWith("foreign key"));
}

function primaryKey({ constraints }: SchemaTable): string[] {
  const primaryConstraint = constraints.find((constraint) => constraint.startsWith("primary key"));
  return primaryConstraint ? [...primaryConstraint.matchAll(/\b(\w+)"?(?=[,)])/g)].map(([, column]) => column!) : [];
}

/** Reads all rows after `last`, in key order. */
export async function* readBatches(db: Kysely<Tables>, table: CopiedTable, last?: readonly unknown[]): AsyncGenerator<Row[]> {
  const { name, columns, key } = table;
  for (let after = last; ;) {
    const start = after && key.length > 0 ? sql`where (${columnRefs(key)}) > (${sql.join(after)})` : sql``;
    const order = key.length > 0 ? sql`order by ${columnRefs(key)} limit ${sql.lit(BATCH_SIZE)}` : sql``;
    const { rows } = await sql<Row>`select ${columnRefs(columns)} from ${sql.table(name)} ${start} ${order}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH_SIZE || key.length === 0) return;
    after = lastKey(table, rows);
  }
}

export function lastKey({ key }: CopiedTable, rows: readonly Row[]): unknown[] {
  return key.map((column) => rows.at(-1)![column]);
}

/** Inserts rows. `suffix` is inserted before the values, for keys that the engine normally generates. */
export async function insertAll(
  db: Kysely<Tables>,
  { name, columns }: CopiedTable,
  { rows, suffix }: { rows: readonly Row[]; suffix: string },
) {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(name)} (${columnRefs(columns)}) ${sql.raw(suffix)} values ${sql.join(values)}`.execute(db);
}

export async function countTable(db: Kysely<Tables>, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return Number(rows[0]!.count);
}

const CHECKSUM_BITS = 64;

/** Returns the number of rows and the sum of their hashes, which doesn't depend on how the engine sorts text. */
export async function computeChecksum(db: Kysely<Tables>, table: CopiedTable): Promise<string> {
  let [count, sum] = [0, 0n];
  for await (const rows of readBatches(db, table)) {
    count += rows.length;
    for (const row of rows) sum = BigInt.asUintN(CHECKSUM_BITS, sum + hashRow(table.columns.map((column) => row[column])));
  }
  return `${count} ${sum}`;
}

function hashRow(values: readonly unknown[]): bigint {
  const text = JSON.stringify(values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value)));
  return BigInt(`0x${hash("sha1", text).slice(0, CHECKSUM_BITS / 4)}`);
}

function columnRefs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
