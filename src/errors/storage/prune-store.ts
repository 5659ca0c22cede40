import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, sql, type SqlBool } from "kysely";
import type { Database } from "../../db/database.ts";
import type { ErrorGroupRow } from "../../db/error-log-rows.ts";
import type { Tables } from "../../db/schema.ts";
import { entryBytes, lockSize, readSize, recountSize, subtractSize } from "./store.ts";

type EntryCondition = (eb: ExpressionBuilder<Tables, "error_entry">) => ExpressionWrapper<Tables, "error_entry", SqlBool>;

type EntryRetention = { at: number; keep: number; limit: number };

/**
 * Deletes up to `limit` entries: those older than `at`, then the oldest beyond `keep`. Keeps each group's newest. Returns the number of
 * deleted entries.
 */
export async function pruneErrorEntries(database: Database, { at, keep, limit }: EntryRetention): Promise<number> {
  const newestRow = await database.read
    .selectFrom("error_entry")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirst();
  const prunedByAge = await pruneEntries(database, limit, (eb) => eb("at", "<", at));
  const lastExcess = (newestRow?.id ?? 0) - keep;
  const prunedByCount = await pruneEntries(database, limit - prunedByAge, (eb) =>
    eb.and([eb("id", "<=", lastExcess), expendableCondition(eb)]),
  );
  return prunedByAge + prunedByCount;
}

function expendableCondition(eb: ExpressionBuilder<Tables, "error_entry">) {
  const group = eb.selectFrom("error_group").select("id").whereRef("error_group.id", "=", "error_entry.group_id");
  const newerEntries = eb
    .selectFrom("error_entry as newer")
    .select("newer.id")
    .whereRef("newer.group_id", "=", "error_entry.group_id")
    .where(sql<SqlBool>`(newer.at, newer.id) > (error_entry.at, error_entry.id)`);
  return eb.or([eb.not(eb.exists(group)), eb.exists(newerEntries)]);
}

async function pruneEntries(database: Database, limit: number, condition: EntryCondition): Promise<number> {
  if (limit <= 0) return 0;
  const old = await database.read.selectFrom("error_entry").select("id").where(condition).limit(limit).execute();
  return deleteEntries(
    database,
    old.map((row) => row.id),
  );
}

async function deleteEntries(database: Database, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  return database.write.transaction().execute(async (db) => {
    await lockSize(db);
    return deleteAndSubtract(db, ids);
  });
}

async function deleteAndSubtract(db: Kysely<Tables>, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const deletedRows = await db.deleteFrom("error_entry").where("id", "in", ids).returning(entryBytes.as("bytes")).execute();
  await subtractSize(
    db,
    deletedRows.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  return deletedRows.length;
}

/**
 * Deletes up to `limit` of the oldest entries, each group's newest last, until the log fits into `keepBytes`. Returns the number of deleted
 * entries.
 */
export async function pruneErrorBytes(database: Database, { keepBytes, limit }: { keepBytes: number; limit: number }): Promise<number> {
  if ((await readSize(database)) <= keepBytes) return 0;
  return database.write.transaction().execute(async (db) => {
    const excess = (await lockSize(db)) - keepBytes;
    if (excess <= 0) return 0;
    const expendableEntries = await readOldest(db, limit, expendableCondition);
    const oldestEntries = expendableEntries.length > 0 ? expendableEntries : await readOldest(db, limit, (eb) => eb("id", ">", 0));
    if (oldestEntries.length === 0) await recountSize(db);
    return deleteAndSubtract(db, takeBytes(oldestEntries, excess));
  });
}

type SizedEntry = { id: number; bytes: number };

/** Returns the oldest entries. Orders them by ID, like `KEEP_ERRORS`, because times are unreliable after the clock was set back. */
async function readOldest(db: Kysely<Tables>, limit: number, condition: EntryCondition): Promise<SizedEntry[]> {
  return db
    .selectFrom("error_entry")
    .select(["id", entryBytes.as("bytes")])
    .where(condition)
    .orderBy("id")
    .limit(limit)
    .execute();
}

function takeBytes(entries: readonly SizedEntry[], bytes: number): number[] {
  const ids: number[] = [];
  for (let left = bytes; left > 0 && ids.length < entries.length;) {
    const entry = entries[ids.length]!;
    ids.push(entry.id);
    left -= entry.bytes;
  }
  return ids;
}

type GroupRetention = { at: number; hour: number; keep: number; limit: number };

export async function pruneErrorGroups(database: Database, { at, hour, keep, limit }: GroupRetention): Promise<number> {
  const prunedByAge = await pruneGroups(database, { before: at, limit });
  const oldestKept = await lastSeenAt(database, keep);
  const prunedByCount = oldestKept === undefined ? 0 : await pruneGroups(database, { before: oldestKept, limit, state: "open" });
  const { numAffectedRows = 0n } = await sql`delete from error_hour where (group_id, hour) in (
    select group_id, hour from error_hour where hour < ${hour} limit ${limit})`.execute(database.write);
  return prunedByAge + prunedByCount + Number(numAffectedRows);
}

async function lastSeenAt({ read }: Database, rank: number): Promise<number | undefined> {
  const row = await read
    .selectFrom("error_group")
    .select("last_at")
    .where("state", "=", "open")
    .orderBy("last_at", "desc")
    .orderBy("id", "desc")
    .offset(rank - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.last_at;
}

async function pruneGroups(
  { read, write }: Database,
  { before, limit, state }: { before: number; limit: number; state?: ErrorGroupRow["state"] },
): Promise<number> {
  const isOldCondition = (eb: ExpressionBuilder<Tables, "error_group">) =>
    eb.and([eb("last_at", "<", before), ...(state === undefined ? [] : [eb("state", "=", state)])]);
  const old = await read.selectFrom("error_group").select("id").where(isOldCondition).limit(limit).execute();
  if (old.length === 0) return 0;
  const ids = old.map((row) => row.id);
  await write.deleteFrom("error_group").where("id", "in", ids).where(isOldCondition).execute();
  await write
    .deleteFrom("error_hour")
    .where("group_id", "in", ids)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("error_group").select("id").whereRef("error_group.id", "=", "error_hour.group_id"))))
    .execute();
  return ids.length;
}
