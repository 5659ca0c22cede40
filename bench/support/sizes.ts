import { sql } from "kysely";
import type { Database } from "../../src/db/database.ts";

/** The tables, grouped by what they store. Other tables hardly grow. */
const GROUPS = {
  records: ["property", "property_activity", "category", "rate_plan", "search_text"],
  nights: ["inventory_page", "rate_page", "night_summary"],
  log: ["message", "message_body"],
  history: ["night_undo"],
  changes: ["change", "change_outbox"],
} as const;

export type Group = keyof typeof GROUPS;
export type Sizes = Readonly<Record<Group, number>>;

/** The bytes of partitions are counted for their parent table. */
const POSTGRES = sql<{
  name: string;
  bytes: number;
}>`select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::bigint as bytes
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' group by 1`;

const SQLITE = sql<{ name: string; bytes: number }>`select m.tbl_name as name, sum(s.pgsize) as bytes
  from dbstat s join sqlite_master m on m.name = s.name group by m.tbl_name`;

/** Returns the bytes of each group of tables, including indexes. */
export async function readSizes(database: Database): Promise<Sizes> {
  const { engine } = await database.describe();
  const { rows } = await (engine === "PostgreSQL" ? POSTGRES : SQLITE).execute(database.read);
  const bytes = new Map(rows.map((row) => [row.name, row.bytes]));
  const sumOf = (names: readonly string[]) => names.reduce((sum, name) => sum + (bytes.get(name) ?? 0), 0);
  return Object.fromEntries(Object.entries(GROUPS).map(([group, names]) => [group, sumOf(names)])) as Sizes;
}

export async function countOf(database: Database, table: "message" | "change"): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(database.read);
  return rows[0]!.count;
}
