import { type Kysely, sql } from "kysely";
import {
  type Catalog,
  MIGRATION_TABLES,
  normaliseStatement,
  type Schema,
  type SchemaColumn,
  type SchemaIndex,
  type SchemaTable,
} from "../catalog.ts";
import type { Tables } from "../schema.ts";
import { readPlacements, schemaChanges } from "./distribution.ts";

type DatabaseHandle = Kysely<Tables>;

/** Reads the current schema, which is the first one in `search_path`. */
export function postgresCatalog(kysely: DatabaseHandle): Catalog {
  return {
    read: readSchema,
    draft: (statements) => readDraftSchema(kysely, statements),
    estimateRows: () => estimateRows(kysely),
    placements: () => readPlacements(kysely),
    schemaOfMigrations: () => schemaOfMigrations(kysely),
  };
}

/** Creates temporary tables, which needs no special privileges, and rolls back. */
async function readDraftSchema(kysely: DatabaseHandle, statements: readonly string[]): Promise<Schema> {
  let schema: Schema = [];
  const placements = await readPlacements(kysely);
  const undo = new Error("The draft is rolled back.");
  const draftSchema = kysely.transaction().execute(async (transaction) => {
    await sql`set local search_path to pg_temp`.execute(transaction);
    for (const statement of [...statements, ...schemaChanges(placements)]) await sql.raw(statement).execute(transaction);
    schema = await readSchema(transaction);
    throw undo;
  });
  await draftSchema.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return schema;
}

async function readSchema(handle: DatabaseHandle): Promise<Schema> {
  const tableRelations = await readRelations(handle);
  const columns = Map.groupBy(await readColumns(handle), (row) => row.table);
  const constraints = Map.groupBy(await readConstraints(handle), (row) => row.table);
  const indexes = Map.groupBy(await readIndexes(handle), (row) => row.table);
  return tableRelations.map(({ name, counter }) => {
    if (counter) return { name, kind: "counter", create: `create sequence ${name}`, columns: [], constraints: [], indexes: [] };
    const keys = (constraints.get(name) ?? []).map((row) => row.definition);
    return describeTable({ name, columns: columns.get(name) ?? [], constraints: keys, indexes: indexes.get(name) ?? [] });
  });
}

type TableParts = { name: string; columns: readonly ColumnRow[]; constraints: readonly string[]; indexes: readonly SchemaIndex[] };

function describeTable({ name, columns, constraints, indexes }: TableParts): SchemaTable {
  const columnTexts = columns.map(describeColumn);
  const lines = [...columnTexts.map((column) => `${column.name} ${column.definition}`), ...constraints];
  const create = `create table ${name} (\n  ${lines.join(",\n  ")}\n)`;
  return {
    name,
    kind: "table",
    create,
    columns: columnTexts,
    constraints,
    indexes: indexes.map((index) => ({ name: index.name, create: index.create })),
  };
}

function describeColumn({ name, type, required, byDefault, counted }: ColumnRow): SchemaColumn {
  const words = [
    type,
    required ? "not null" : "",
    byDefault === null ? "" : `default ${byDefault}`,
    counted ? "generated always as identity" : "",
  ];
  return { name, definition: words.filter((word) => word !== "").join(" "), addable: !required || byDefault !== null || counted };
}

async function readRelations(handle: DatabaseHandle): Promise<{ name: string; counter: boolean }[]> {
  const { rows } = await sql<{ name: string; counter: boolean }>`select c.relname as name, c.relkind = 'S' as counter from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.refobjid <> c.oid
        and d.deptype in ('i', 'a', 'e'))
    order by c.relname`.execute(handle);
  return rows.filter((row) => !MIGRATION_TABLES.includes(row.name));
}

type ColumnRow = { table: string; name: string; type: string; required: boolean; byDefault: string | null; counted: boolean };

async function readColumns(handle: DatabaseHandle): Promise<ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) || coalesce(
        (select ' collate ' || quote_ident(l.collname) from pg_collation l, pg_type y
          where l.oid = a.attcollation and y.oid = a.atttypid and y.typcollation <> l.oid), '') as type,
      a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as "byDefault", a.attidentity <> '' as counted
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(handle);
  return rows;
}

/** Omits `not null` constraints, which PostgreSQL 18 also lists, because they are part of the column. */
async function readConstraints(handle: DatabaseHandle): Promise<{ table: string; definition: string }[]> {
  const { rows } = await sql<{ table: string; definition: string }>`select c.relname as "table", pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = current_schema()::regnamespace and k.contype in ('p', 'u', 'f', 'c', 'x') order by c.relname`.execute(handle);
  return rows
    .map(({ table, definition }) => ({
      table,
      definition: definition.replaceAll(/^(PRIMARY KEY|UNIQUE|FOREIGN KEY|CHECK)|(REFERENCES)/g, (word) => word.toLowerCase()),
    }))
    .toSorted((a, b) => (a.definition < b.definition ? -1 : 1));
}

async function readIndexes(handle: DatabaseHandle): Promise<({ table: string } & SchemaIndex)[]> {
  const { rows } = await sql<{
    table: string;
    name: string;
    definition: string;
    schema: string;
  }>`select t.relname as "table", c.relname as name,
      pg_get_indexdef(i.indexrelid) as definition, quote_ident(current_schema()) as schema
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relnamespace = current_schema()::regnamespace and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    order by c.relname`.execute(handle);
  return rows.map((row) => ({
    table: row.table,
    name: row.name,
    create: normaliseStatement(row.definition.replace(/ ON (ONLY )?\S+\./, " ON ")),
  }));
}

/** Estimates the number of rows in each table. The coordinator has no statistics for tables that Citus stores. */
async function estimateRows(kysely: DatabaseHandle): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; live: number }>`select coalesce(p.relname, s.relname) as name,
      sum(greatest(s.n_live_tup, c.reltuples, 0))::bigint as live
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where s.schemaname = current_schema() and c.relkind = 'r' group by 1`.execute(kysely);
  const placements = await readPlacements(kysely);
  return new Map(rows.filter(({ name }) => !placements.has(name)).map((row) => [row.name, row.live]));
}

/**
 * Returns the first schema in `search_path` with migration tables, or else the current schema. Other schemas may contain tables with the
 * same names, for example those of a second Roomrack installation.
 */
async function schemaOfMigrations(kysely: DatabaseHandle): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`select coalesce(
    (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass('kysely_migration')),
    current_schema())::text as name`.execute(kysely);
  return rows[0]?.name ?? undefined;
}
