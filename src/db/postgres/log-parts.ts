import { type Kysely, sql } from "kysely";
import type { Database, LogPartition, LogPartitions } from "../database.ts";
import { isLocked } from "../faults.ts";
import type { Tables } from "../schema.ts";

type DatabaseHandle = Kysely<Tables>;
type AlterSchema = Database["alter"];

/** The partitioned tables, with the column that contains the ID of the message. */
const PARTITIONED_TABLES = [
  { name: "message", key: "id" },
  { name: "message_body", key: "message" },
  { name: "night_undo", key: "message" },
] as const;

/** Messages wait while a table is changed, and the change waits for long queries. */
const LOCK_TIMEOUT = "set local lock_timeout = '1s'";

export function postgresLogPartitions(read: DatabaseHandle, alter: AlterSchema): LogPartitions {
  return {
    list: () => listPartitions(read),
    add: (from) => ignoreLocked(() => addPartition(read, alter, from)),
    drop: (part) =>
      ignoreLocked(() =>
        run(
          alter,
          PARTITIONED_TABLES.map(({ name }) => `drop table ${partitionName(name, part)}`),
        ),
      ),
  };
}

/** The next call tries again. */
async function ignoreLocked(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
}

function partitionName(table: string, { from }: Pick<LogPartition, "from">): string {
  return `${table}_${from}`;
}

async function listPartitions(read: DatabaseHandle): Promise<LogPartition[]> {
  const { rows } = await sql<{ bounds: string }>`select pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('message')`.execute(read);
  return rows.map(({ bounds }) => parseBounds(bounds)).toSorted((a, b) => a.from - b.from);
}

/** For example `FOR VALUES FROM (MINVALUE) TO ('100001')`. */
function parseBounds(bounds: string): LogPartition {
  const [from, before] = [...bounds.matchAll(/\('?(\w+)'?\)/g)].map(([, value]) => value!);
  return { from: from === "MINVALUE" ? 0 : Number(from), before: before === "MAXVALUE" ? Infinity : Number(before) };
}

/** Checks the IDs in the last part first, without blocking messages, so that the tables are locked only for a moment. */
async function addPartition(read: DatabaseHandle, alter: AlterSchema, from: number): Promise<void> {
  const lastPartition = (await listPartitions(read)).at(-1)!;
  const parts = PARTITIONED_TABLES.map(({ name, key }) => ({
    name,
    range: `${key} >= ${lastPartition.from} and ${key} < ${from}`,
    last: partitionName(name, lastPartition),
  }));
  const dropStatements = parts.map((part) => `alter table ${part.last} drop constraint if exists part_ids`);
  await run(alter, [
    ...dropStatements,
    ...parts.map((part) => `alter table ${part.last} add constraint part_ids check (${part.range}) not valid`),
  ]);
  try {
    await run(
      alter,
      parts.map((part) => `alter table ${part.last} validate constraint part_ids`),
    );
    await run(
      alter,
      parts.flatMap((part) => replaceLastPartition(part, { from, start: lastPartition.from })),
    );
  } finally {
    await run(alter, dropStatements);
  }
}

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
 * Makes the existing table the first partition of a new table with the same columns and indexes. Copies no rows and checks none, because the
 * partition has no bounds. Leaves tables alone that Citus has already distributed.
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
