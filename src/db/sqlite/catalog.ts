import { type Kysely, sql } from "kysely";
import { type Catalog, MIGRATION_TABLES, normaliseStatement, type Schema, type SchemaColumn, type SchemaTable } from "../catalog.ts";
import type { ColumnTypes, Database } from "../database.ts";
import type { Tables } from "../schema.ts";

type DatabaseHandle = Kysely<Tables>;

export function sqliteCatalog(read: DatabaseHandle, openScratch: () => Promise<Database>): Catalog {
  return {
    read: readSchema,
    draft: async (statements) => readDraftSchema(await openScratch(), statements),
    estimateRows: () => estimateRows(read),
    placements: async () => new Map(),
    schemaOfMigrations: async () => undefined,
  };
}

async function readDraftSchema(scratch: Database, statements: readonly string[]): Promise<Schema> {
  try {
    for (const statement of statements) await sql.raw(statement).execute(scratch.write);
    return await readSchema(scratch.write);
  } finally {
    await scratch.close();
  }
}

type TableRow = { name: string; sql: string; strict: number; wr: number };

async function readSchema(handle: DatabaseHandle): Promise<Schema> {
  const { rows } = await sql<TableRow>`select s.name, s.sql, l.strict, l.wr from sqlite_schema s
    join pragma_table_list l on l.schema = 'main' and l.name = s.name
    where s.type = 'table' and s.name not like 'sqlite\\_%' escape '\\' order by s.name`.execute(handle);
  const tables: SchemaTable[] = [];
  for (const row of rows) if (!MIGRATION_TABLES.includes(row.name)) tables.push(await readTable(handle, row));
  return tables;
}

async function readTable(handle: DatabaseHandle, row: TableRow): Promise<SchemaTable> {
  const columns = await readColumns(handle, row.name);
  const keys = [...(await readKeys(handle, row.name)), ...(await readForeignKeys(handle, row.name))];
  const clauses = [
    row.strict === 1 ? "strict" : "",
    row.wr === 1 ? "without rowid" : "",
    /\bautoincrement\b/i.test(row.sql) ? "autoincrement" : "",
  ];
  const constraints = [...keys, ...clauses.filter((clause) => clause !== "")].toSorted();
  return { name: row.name, kind: "table", create: row.sql, columns, constraints, indexes: await readIndexes(handle, row.name) };
}

type ColumnRow = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number };

async function readColumns(handle: DatabaseHandle, table: string): Promise<SchemaColumn[]> {
  const { rows } =
    await sql<ColumnRow>`select name, type, "notnull", dflt_value, pk from pragma_table_xinfo(${table}) order by cid`.execute(handle);
  return rows.map(({ name, type, notnull, dflt_value, pk }) => {
    const words = [type.toLowerCase(), notnull === 1 ? "not null" : "", dflt_value === null ? "" : `default ${dflt_value}`];
    const addable = pk === 0 && (notnull === 0 || dflt_value !== null);
    return { name, definition: words.filter((word) => word !== "").join(" "), addable };
  });
}

async function readKeys(handle: DatabaseHandle, table: string): Promise<string[]> {
  const primary = await sql<{ name: string }>`select name from pragma_table_xinfo(${table}) where pk > 0 order by pk`.execute(handle);
  const unique = await sql<{ columns: string }>`select (select group_concat(name, ', ') from pragma_index_info(l.name)) as columns
    from pragma_index_list(${table}) l where l.origin = 'u'`.execute(handle);
  const columns = primary.rows.map((row) => row.name).join(", ");
  return [...(columns === "" ? [] : [`primary key (${columns})`]), ...unique.rows.map((row) => `unique (${row.columns})`)];
}

type ForeignKeyRow = { id: number; table: string; from: string; to: string; on_delete: string };

async function readForeignKeys(handle: DatabaseHandle, table: string): Promise<string[]> {
  const { rows } =
    await sql<ForeignKeyRow>`select id, "table", "from", "to", on_delete from pragma_foreign_key_list(${table}) order by id, seq`.execute(
      handle,
    );
  const keys = Map.groupBy(rows, (row) => row.id).values();
  return [...keys].map((parts) => {
    const from = parts.map((part) => part.from).join(", ");
    const to = parts.map((part) => part.to).join(", ");
    const action = parts[0]!.on_delete === "NO ACTION" ? "" : ` on delete ${parts[0]!.on_delete.toLowerCase()}`;
    return `foreign key (${from}) references ${parts[0]!.table} (${to})${action}`;
  });
}

async function readIndexes(handle: DatabaseHandle, table: string): Promise<{ name: string; create: string }[]> {
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_schema
    where type = 'index' and tbl_name = ${table} and sql is not null order by name`.execute(handle);
  return rows.map((row) => ({ name: row.name, create: normaliseStatement(row.sql) }));
}

/** Uses the largest rowid, which needs no scan but also counts deleted rows. Omits tables whose rowids are hashes. */
async function estimateRows(read: DatabaseHandle): Promise<ReadonlyMap<string, number>> {
  const tables = await sql<{ name: string }>`select name from pragma_table_list where schema = 'main' and type = 'table' and wr = 0
    and name not like 'sqlite\\_%' escape '\\'`.execute(read);
  const file = await sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(read);
  const { bytes } = file.rows[0]!;
  const counts = new Map<string, number>();
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ last: number | null }>`select max(rowid) as last from ${sql.table(name)}`.execute(read);
    const last = rows[0]?.last ?? 0;
    if (last <= bytes) counts.set(name, last);
  }
  return counts;
}

export const columnTypes: ColumnTypes = {
  integer: "integer",
  bytes: "blob",
  bytewise: "text",
  serial: "integer primary key autoincrement",
  strict: " strict",
  keyed: " strict, without rowid",
  batchCounter: "create table counter (name text primary key, value integer not null) strict",
  partitioned: () => [],
};
