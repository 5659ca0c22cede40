import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from "kysely";
import type { Database } from "../../db/database.ts";
import type { ErrorGroupRow, Tables } from "../../db/schema.ts";
import { entrySize, readSize, recountSize, subtractSize } from "./size-store.ts";

type Condition = (of: ExpressionBuilder<Tables, "error_entry">) => ExpressionWrapper<Tables, "error_entry", SqlBool>;

/**
 * Deletes at most `limit` of the entries from before `at` or, ids being counted, more than `keep` before the newest; of these the
 * newest of each group stays. Answers how many.
 */
export async function pruneErrorEntries(
  database: Database,
  { at, keep, limit }: { at: number; keep: number; limit: number },
): Promise<number> {
  const newest = await database.read
    .selectFrom("error_entry")
    .select((of) => of.fn.max("id").as("id"))
    .executeTakeFirst();
  const byAge = await prune(database, limit, (of) => of("at", "<", at));
  const old = (newest?.id ?? 0) - keep;
  const byCount = await prune(database, limit - byAge, (of) => of.and([of("id", "<=", old), of.or([isUngrouped(of), hasNewer(of)])]));
  return byAge + byCount;
}

function isUngrouped(of: ExpressionBuilder<Tables, "error_entry">) {
  return of.not(of.exists(of.selectFrom("error_group").select("id").whereRef("error_group.id", "=", "error_entry.group_id")));
}

function hasNewer(of: ExpressionBuilder<Tables, "error_entry">) {
  return of.exists(
    of
      .selectFrom("error_entry as newer")
      .select("newer.id")
      .whereRef("newer.group_id", "=", "error_entry.group_id")
      .where(sql<SqlBool>`(newer.at, newer.id) > (error_entry.at, error_entry.id)`),
  );
}

async function prune(database: Database, limit: number, condition: Condition): Promise<number> {
  if (limit <= 0) return 0;
  const old = await database.read.selectFrom("error_entry").select("id").where(condition).limit(limit).execute();
  return deleteEntries(
    database,
    old.map((row) => row.id),
  );
}

/** Another process may delete the same entries: each is subtracted from the size of the log once, by the process that deleted it. */
async function deleteEntries(database: Database, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  return database.write.transaction().execute(async (db) => {
    const deleted = await db.deleteFrom("error_entry").where("id", "in", ids).returning(entrySize.as("bytes")).execute();
    await subtractSize(
      db,
      deleted.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    return deleted.length;
  });
}

/**
 * Deletes at most `limit` entries, the oldest first, until the log has no more than `keepBytes`. The newest entry of each group goes
 * only if nothing else is left. Returns how many entries it deleted.
 */
export async function pruneErrorBytes(database: Database, { keepBytes, limit }: { keepBytes: number; limit: number }): Promise<number> {
  const excess = (await readSize(database)) - keepBytes;
  if (excess <= 0) return 0;
  const repeats = await readOldest(database, limit, (of) => of.or([isUngrouped(of), hasNewer(of)]));
  const oldest = repeats.length > 0 ? repeats : await readOldest(database, limit, (of) => of("id", ">", 0));
  if (oldest.length === 0) await recountSize(database);
  return deleteEntries(database, enough(oldest, excess));
}

type Sized = { id: number; bytes: number };

/** By id, like `KEEP_ERRORS`, so that a clock that was set back changes nothing. */
async function readOldest({ read }: Database, limit: number, condition: Condition): Promise<Sized[]> {
  return read
    .selectFrom("error_entry")
    .select(["id", entrySize.as("bytes")])
    .where(condition)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The first entries that together have `excess` bytes; all of them if they have less. */
function enough(entries: readonly Sized[], excess: number): number[] {
  const ids: number[] = [];
  for (let left = excess; left > 0 && ids.length < entries.length;) {
    const { id, bytes } = entries[ids.length]!;
    ids.push(id);
    left -= bytes;
  }
  return ids;
}

/** `at`: groups that were last seen before it go; `hour`: counts of hours before it go; `keep`: open groups beyond it go, the longest unseen first. */
type GroupRetention = { at: number; hour: number; keep: number; limit: number };

/** Deletes at most `limit` of each. Answers how many groups and counts went. Entries that stay are in no group until one like them comes again. */
export async function pruneErrorGroups(database: Database, { at, hour, keep, limit }: GroupRetention): Promise<number> {
  const unseen = await pruneGroups(database, { before: at, limit });
  const last = await lastKept(database, keep);
  const excess = last === undefined ? 0 : await pruneGroups(database, { before: last, limit, state: "open" });
  const { numAffectedRows = 0n } = await sql`delete from error_hour where (group_id, hour) in (
    select group_id, hour from error_hour where hour < ${hour} limit ${limit})`.execute(database.write);
  return unseen + excess + Number(numAffectedRows);
}

/** When the last of the open groups that are kept was seen; undefined where there are no more than that. */
async function lastKept({ read }: Database, keep: number): Promise<number | undefined> {
  const row = await read
    .selectFrom("error_group")
    .select("last_at")
    .where("state", "=", "open")
    .orderBy("last_at", "desc")
    .orderBy("id", "desc")
    .offset(keep - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.last_at;
}

async function pruneGroups(
  { read, write }: Database,
  { before, limit, state }: { before: number; limit: number; state?: ErrorGroupRow["state"] },
): Promise<number> {
  const isOld = (of: ExpressionBuilder<Tables, "error_group">) =>
    of.and([of("last_at", "<", before), ...(state === undefined ? [] : [of("state", "=", state)])]);
  const old = await read.selectFrom("error_group").select("id").where(isOld).limit(limit).execute();
  if (old.length === 0) return 0;
  const ids = old.map((row) => row.id);
  await write.deleteFrom("error_group").where("id", "in", ids).where(isOld).execute();
  await write
    .deleteFrom("error_hour")
    .where("group_id", "in", ids)
    .where((of) => of.not(of.exists(of.selectFrom("error_group").select("id").whereRef("error_group.id", "=", "error_hour.group_id"))))
    .execute();
  return ids.length;
}
