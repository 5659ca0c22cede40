import { type Kysely, sql } from "kysely";
import { escapeIdentifier, type Pool } from "pg";
import type { Database, LogPartition, LogPartitions } from "../database.ts";
import type { Tables } from "../schema.ts";

type DatabaseHandle = Kysely<Tables>;
type AlterSchema = Database["alter"];

/** The partitioned tables, with the column that contains the ID of the message. */
const PARTITIONED_TABLES = [
  { name: "message", key: "id" },
  { name: "message_body", key: "message" },
  { name: "night_undo", key: "message" },
] as const;

/** Longer than the one second after which PostgreSQL cancels an automatic vacuum that blocks a lock. Messages may wait this long. */
const LOCK_TIMEOUT = "set local lock_timeout = '3s'";

export function postgresLogPartitions(read: DatabaseHandle, alter: AlterSchema): LogPartitions {
  return {
    list: () => listPartitions(read),
    add: (ids) => ignoreRefused(() => addPartition(read, alter, ids)),
    drop: (partition) => ignoreRefused(() => run(alter, dropStatements(partition))),
  };
}

/**
 * SQLSTATEs for a lock timeout or deadlock, a table or constraint that another process just added or dropped, and a database user who
 * doesn't own the tables.
 */
const REFUSED_STATES = new Set(["55P03", "40P01", "40001", "42P01", "42P07", "42704", "42501"]);

async function ignoreRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!REFUSED_STATES.has((error as { code?: string }).code ?? "")) throw error;
  }
}

function dropStatements(partition: LogPartition): string[] {
  return PARTITIONED_TABLES.map(({ name }) => `drop table if exists ${partitionName(name, partition)}`);
}

function partitionName(table: string, { from }: Pick<LogPartition, "from">): string {
  return `${table}_${from}`;
}

async function listPartitions(read: DatabaseHandle): Promise<LogPartition[]> {
  const { rows } = await sql<{ bounds: string }>`select pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('message')`.execute(read);
  return rows.map(({ bounds }) => parseBounds(bounds)).toSorted((a, b) => a.from - b.from);
}

/** Parses partition bounds, such as `FOR VALUES FROM (MINVALUE) TO ('100001')`. */
function parseBounds(bounds: string): LogPartition {
  const [from, before] = [...bounds.matchAll(/\('?(\w+)'?\)/g)].map(([, value]) => value!);
  return { from: from === "MINVALUE" ? 0 : Number(from), before: before === "MAXVALUE" ? Infinity : Number(before) };
}

/**
 * Validates a constraint on the last partition first, while messages are stored, so that the tables are locked only for a moment.
 * `removeIdLimit` removes the constraint if a message exceeds it.
 */
async function addPartition(read: DatabaseHandle, alter: AlterSchema, ids: number): Promise<void> {
  const lastPartition = (await listPartitions(read)).at(-1)!;
  const from = Math.max(lastPartition.from, await findHighestId(read)) + ids;
  const tables = PARTITIONED_TABLES.map(({ name, key }) => ({
    name,
    range: `${key} >= ${lastPartition.from} and ${key} < ${from}`,
    last: partitionName(name, lastPartition),
  }));
  const removeLimits = tables.map(({ last }) => `alter table ${last} drop constraint if exists ${ID_LIMIT}`);
  const addLimits = tables.map(({ last, range }) => `alter table ${last} add constraint ${ID_LIMIT} check (${range}) not valid`);
  const validateLimits = tables.map(({ last }) => `alter table ${last} validate constraint ${ID_LIMIT}`);
  await run(alter, [...removeLimits, ...addLimits]);
  try {
    await run(alter, validateLimits);
    await run(
      alter,
      tables.flatMap((table) => replaceLastPartition(table, { from, start: lastPartition.from })),
    );
  } finally {
    await run(alter, removeLimits);
  }
  await run(alter, ANALYZE_TABLES);
}

const ID_LIMIT = "log_partition_ids";
/** PostgreSQL doesn't analyze a partitioned table automatically. */
const ANALYZE_TABLES = PARTITIONED_TABLES.map(({ name }) => `analyze ${name}`);

async function findHighestId(read: DatabaseHandle): Promise<number> {
  return (await sql<{ id: number }>`select last_value as id from batch_id`.execute(read)).rows[0]!.id;
}

/**
 * Removes the constraint that a message violated while a partition was being added, or after adding it was interrupted. Returns whether
 * there was such a constraint.
 */
export async function removeIdLimit(pool: Pool, error: unknown): Promise<boolean> {
  const { code, constraint, schema, table } = error as { code?: string; constraint?: string; schema?: string; table?: string };
  if (code !== CHECK_VIOLATION || constraint !== ID_LIMIT) return false;
  const name = [schema!, table!].map((part) => escapeIdentifier(part)).join(".");
  await pool.query(`alter table ${name} drop constraint if exists ${ID_LIMIT}`);
  return true;
}

const CHECK_VIOLATION = "23514";

type EndedPartition = { name: string; last: string };

function replaceLastPartition({ name, last: lastPartition }: EndedPartition, { from, start }: { from: number; start: number }): string[] {
  return [
    `alter table ${name} detach partition ${lastPartition}`,
    `create table ${partitionName(name, { from })} partition of ${name} for values from (${from}) to (maxvalue)`,
    `alter table ${name} attach partition ${lastPartition} for values from (${start === 0 ? "minvalue" : start}) to (${from})`,
  ];
}

function run(alter: AlterSchema, statements: readonly string[]): Promise<void> {
  return alter(async (db) => {
    for (const statement of [LOCK_TIMEOUT, ...statements]) await sql.raw(statement).execute(db);
  });
}

/**
 * Makes the existing table the first partition of a new table with the same columns and indexes. Neither copies nor checks rows, because
 * the partition has no bounds. Skips tables that Citus has already distributed.
 */
export function partitionTable(table: string, key: string): string[] {
  const first = partitionName(table, { from: 0 });
  return [
    `do $$ declare
      indexes text[];
      one record;
    begin
      if to_regclass('pg_dist_partition') is not null then
        if exists (select from pg_dist_partition where logicalrelid = to_regclass('${table}')) then return; end if;
      end if;
      select array_agg(pg_get_indexdef(indexrelid)) into indexes
        from pg_index where indrelid = to_regclass('${table}') and not indisprimary;
      for one in select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = to_regclass('${table}')
      loop
        execute format('alter index %I rename to %I', one.name, one.name || '_0');
      end loop;
      alter table ${table} rename to ${first};
      create table ${table} (like ${first} including defaults including storage including compression, primary key (${key}))
        partition by range (${key});
      for one in select unnest(indexes) as definition loop
        execute one.definition;
      end loop;
      alter table ${table} attach partition ${first} for values from (minvalue) to (maxvalue);
    end $$`,
  ];
}
