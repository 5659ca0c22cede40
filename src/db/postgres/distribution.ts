import { type Kysely, sql } from "kysely";
import type { Pool } from "pg";
import type { TablePlacement } from "../catalog.ts";
import { DistributionError, type ReportDistribution } from "../database.ts";
import type { Tables } from "../schema.ts";
import { UnsuitableServerError } from "./fitness.ts";

type DatabaseHandle = Kysely<Tables>;

/**
 * `prepare` fills in the column in older rows. `change` adds the property to keys and gives all property columns one collation, as Citus
 * requires.
 */
type DistributedTable = { name: keyof Tables; column: string; prepare?: string; change?: string };

/** All rows of a message are on one shard. `message` is last, because `prepare` of other tables reads it. */
const DISTRIBUTED_TABLES: readonly DistributedTable[] = [
  { name: "property", column: "code" },
  ...(["category", "rate_plan", "property_activity", "inventory_page", "rate_page", "search_text", "past_message"] as const).map(
    byProperty,
  ),
  { ...byProperty("night_summary"), change: "alter table night_summary alter column property type text" },
  {
    ...byProperty("change_outbox"),
    change: `alter table change_outbox alter column property type text, ${keyConstraint("change_outbox", "id, property")}`,
  },
  partOfMessage("night_undo"),
  partOfMessage("message_body"),
  {
    ...byProperty("message"),
    prepare: "update message set property = '' where property is null",
    change: `alter table message ${keyConstraint("message", "id, property")}`,
  },
];

/** Tables that stay on the coordinator. Citus must manage them, so that they commit atomically with distributed tables. */
const COORDINATOR_TABLES: readonly (keyof Tables)[] = ["change", "audit", "sender", "summary_progress"];

function byProperty(name: keyof Tables): DistributedTable {
  return { name, column: "property" };
}

function partOfMessage(name: "night_undo" | "message_body"): DistributedTable {
  return {
    name,
    column: "message_property",
    prepare: `update ${name} part set message_property = coalesce(message.property, '') from message where message.id = part.message`,
    change: `alter table ${name} ${keyConstraint(name, "message, message_property")}`,
  };
}

function keyConstraint(table: string, columns: string): string {
  return `drop constraint ${table}_pkey, add primary key (${columns})`;
}

const HAS_CITUS_QUERY = "select to_regclass('pg_dist_partition') is not null as found";
const IS_DISTRIBUTED_QUERY = "select exists (select from pg_dist_partition where logicalrelid = to_regclass('property')) as found";

/** Returns whether the tables are distributed. Throws `UnsuitableServerError` on a worker, because the locks are on the coordinator. */
export async function isDistributed(pool: Pool): Promise<boolean> {
  const queryFound = async (query: string) => (await pool.query<{ found: boolean }>(query)).rows[0]!.found;
  if (!(await queryFound(HAS_CITUS_QUERY)) || !(await queryFound(IS_DISTRIBUTED_QUERY))) return false;
  if (await queryFound("select citus_is_coordinator() as found")) return true;
  throw new UnsuitableServerError("The server is a worker of a Citus cluster. Set DATABASE_URL to the coordinator.");
}

/** Returns where Citus stores each table that it manages; empty without Citus. */
export async function readPlacements(db: DatabaseHandle): Promise<ReadonlyMap<string, TablePlacement>> {
  if (!(await hasCitus(db))) return new Map();
  const { rows } = await sql<{ name: string; method: string }>`select c.relname as name, p.partmethod as method
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = current_schema()::regnamespace`.execute(db);
  return new Map(rows.map(({ name, method }) => [name, method === "h" ? "distributed" : "coordinator"]));
}

async function hasCitus(db: DatabaseHandle): Promise<boolean> {
  return (await sql<{ found: boolean }>`${sql.raw(HAS_CITUS_QUERY)}`.execute(db)).rows[0]!.found;
}

/** Returns the schema changes that distribution made to these tables, for comparison with the migrations. */
export function schemaChanges(placements: ReadonlyMap<string, string>): string[] {
  return DISTRIBUTED_TABLES.flatMap(({ name, change }) => (change !== undefined && placements.get(name) === "distributed" ? [change] : []));
}

export type DistributionAccess = { read: DatabaseHandle; alter<T>(work: (db: DatabaseHandle) => Promise<T>): Promise<T> };

/** Distributes the tables. Uses one transaction per table, so that an interrupted run can be continued. */
export async function distribute({ read, alter }: DistributionAccess, report: ReportDistribution): Promise<void> {
  if (!(await hasCitus(read))) throw new DistributionError(NO_CITUS_TEXT);
  await requireWorkers(read);
  const steps = [
    ...DISTRIBUTED_TABLES.map((table) => ({ name: table.name, run: (db: DatabaseHandle) => distributeTable(db, table) })),
    ...COORDINATOR_TABLES.map((name) => ({ name, run: (db: DatabaseHandle) => registerTable(db, name) })),
  ];
  for (const [index, { name, run }] of steps.entries()) {
    report(name, index, steps.length);
    await alter(async (db) => {
      if (!(await readPlacements(db)).has(name)) await continueSequence(db, name, () => run(db));
    });
  }
  for (const { name } of DISTRIBUTED_TABLES) await alter((db) => removeLocalRows(db, name));
}

const NO_CITUS_TEXT =
  "This database doesn't have the citus extension. Install Citus on the server, add it to shared_preload_libraries, and run in this database: create extension citus";
const NO_WORKERS_TEXT = "The Citus cluster has no workers. Add each with: select citus_add_node('HOST', PORT)";

async function requireWorkers(read: DatabaseHandle): Promise<void> {
  const { rows } = await sql<{ workers: number }>`select count(*) as workers from citus_get_active_worker_nodes()`.execute(read);
  if (rows[0]!.workers === 0) throw new DistributionError(NO_WORKERS_TEXT);
}

async function distributeTable(db: DatabaseHandle, { name, column, prepare, change }: DistributedTable): Promise<void> {
  for (const statement of [prepare, change]) if (statement !== undefined) await sql.raw(statement).execute(db);
  const colocation = name === "property" ? "none" : "property";
  await sql`select create_distributed_table(${name}, ${column}, colocate_with => ${colocation})`.execute(db);
}

async function registerTable(db: DatabaseHandle, name: string): Promise<void> {
  await sql`select citus_add_local_table_to_metadata(${name})`.execute(db);
}

/**
 * Runs `work`, then continues the table's keys after the highest one. Citus creates a new sequence for them, and no key may be used twice.
 */
async function continueSequence(db: DatabaseHandle, name: string, work: () => Promise<void>): Promise<void> {
  const highest = await highestKey(db, name);
  await work();
  if (highest !== null) await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${highest})`.execute(db);
}

async function highestKey(db: DatabaseHandle, name: string): Promise<number | null> {
  const hasKeys = sql<{ found: boolean }>`select exists (select from pg_attribute
    where attrelid = to_regclass(${name}) and attidentity <> '') as found`;
  if (!(await hasKeys.execute(db)).rows[0]!.found) return null;
  const last = sql<{ last: number | null }>`select pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')::regclass) as last`;
  return (await last.execute(db)).rows[0]!.last;
}

/** Frees the disk space of coordinator rows that were copied to the shards. */
async function removeLocalRows(db: DatabaseHandle, name: string): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size(to_regclass(${name})) as bytes`.execute(db);
  if (rows[0]!.bytes > 0) await sql`select truncate_local_data_after_distributing_table(${name})`.execute(db);
}
