import { setImmediate as nextTurn } from "node:timers/promises";
import { blockOf } from "../calendar/night-summary.ts";
import { DAY_MS, todayIn } from "../calendar/night.ts";
import { spanOf } from "../calendar/page.ts";
import { clampFutureTimes } from "../db/clamp-times.ts";
import type { Database, Row, Statement } from "../db/database.ts";
import { deleteByKey, type InsertTemplate, insertRows } from "../db/statements.ts";
import { type Expiry, findExpiry, hasExpired } from "./expiry.ts";
import { addLogPartition, daysPerPartition, isPartitionExpiring, listExpiredPartitions } from "./log-partitions.ts";
import { listIds, REMOVAL_LOCK } from "./removal.ts";
import { pruneSummaries } from "./summary/store.ts";

/** `now` is the pruning time, in milliseconds since 1970. */
export type RetentionOptions = { now: number; keepLogDays: number; keepNightsDays: number };

export type PruneOptions = { signal?: AbortSignal };

const MESSAGES_PER_BATCH = 500;
const PROPERTIES_PER_BATCH = 100;

/**
 * Deletes old undo records, messages and nights in small steps, so that messages can be handled in between. Writes only if there is
 * something to delete. While a message's nights are stored, keeps a past message, so that a night still shows when and by whom it was set.
 * Keeps nights at least as long as the log, because `asOf` starts from them. If the signal aborts, rejects after the current step.
 */
export async function pruneJournal(
  database: Database,
  { now, keepLogDays, keepNightsDays }: RetentionOptions,
  options: PruneOptions = {},
): Promise<void> {
  const store = { database, pause: () => nextTurn(undefined, options) };
  const days = daysPerPartition(keepLogDays);
  const expiry = await findExpiry(database, now, keepLogDays);
  const isPartitioned = (await database.logPartitions.list()).length > 0;
  const firstNight = todayIn("UTC", now) - Math.max(keepNightsDays, Math.ceil(keepLogDays + (isPartitioned ? days : 0)));
  await pruneChanges(store, expiry);
  const [drop] = await Promise.allSettled([dropPartitions(store, expiry, firstNight)]);
  if (drop.status === "rejected" || !(await isPartitionExpiring(database, expiry, days))) {
    await pruneUndos(store, expiry);
    await pruneMessages(store, expiry, firstNight);
  }
  await prunePast(store, firstNight);
  await pruneNights(store, firstNight);
  await pruneSummaries(database, blockOf(firstNight));
  if (drop.status === "rejected") throw drop.reason;
  await addLogPartition(database, now, days);
}

type PruneContext = { database: Database; pause: () => Promise<void> };

const DELETE_CHANGES = "delete from change where position < ?";

/**
 * Deletes old changes before their undo records, so that readers find both or neither. A change from the future is deleted together with
 * an older change at a later position. Keeps the last change, because its position determines the next one.
 */
async function pruneChanges({ database, pause }: PruneContext, { now, start }: Expiry): Promise<void> {
  const changes = database.read.selectFrom("change").select(["position", "at"]).orderBy("position").limit(MESSAGES_PER_BATCH);
  for (let after: number | undefined = -1; after !== undefined; await pause()) {
    const rows = await changes.where("position", ">", after).execute();
    const current = rows.findIndex(({ at }) => at >= start && at <= now);
    const passed = current === -1 ? rows : rows.slice(0, current);
    const expired = passed.findLastIndex(({ at }) => at < start);
    const firstKept = rows[expired + 1] ?? rows[expired];
    if (expired !== -1 && firstKept !== rows[0])
      await writeStatements(database, REMOVAL_LOCK, [{ sql: DELETE_CHANGES, values: [firstKept!.position] }]);
    after = current === -1 && rows.length === MESSAGES_PER_BATCH ? rows.at(-1)!.position : undefined;
  }
}

async function dropPartitions({ database, pause }: PruneContext, expiry: Expiry, firstNight: number): Promise<void> {
  for (const partition of await listExpiredPartitions(database, expiry)) {
    for (let from = partition.from; from < partition.before; from += IDS_PER_MOVE) {
      const values = [from, Math.min(from + IDS_PER_MOVE, partition.before), firstNight];
      await writeStatements(database, REMOVAL_LOCK, [{ sql: MOVE_TO_PAST, values }]);
      await pause();
    }
    await database.logPartitions.drop(partition);
  }
}

const IDS_PER_MOVE = 10_000;
const INTO_PAST = "insert into past_message (message, property, received_at, sender, last_night)";
const UNLESS_PAST = " on conflict (message, property) do nothing";
const MOVE_TO_PAST = `${INTO_PAST}
  select id, coalesce(property, ''), received_at, sender, last_night from message where id >= ? and id < ? and last_night >= ?${UNLESS_PAST}`;

/** The oldest remaining record determines how far back `asOf` goes. */
function pruneUndos(store: PruneContext, expiry: Expiry): Promise<void> {
  const undos = store.database.read.selectFrom("night_undo").select(["message as id", "at"]).where("message", "<", expiry.firstId);
  const batchQuery = undos.orderBy("message").limit(MESSAGES_PER_BATCH);
  return removeExpired(store, expiry, {
    readAfter: (id) => batchQuery.where("message", ">", id).execute(),
    remove: (old) => deleteByKey("night_undo", "message", listIds(old)),
  });
}

const INSERT_PAST_MESSAGE: InsertTemplate = { into: INTO_PAST, columns: 5, conflict: UNLESS_PAST };

function pruneMessages(store: PruneContext, expiry: Expiry, firstNight: number): Promise<void> {
  const columns = ["id", "received_at as at", "property", "sender", "last_night"] as const;
  const messages = store.database.read.selectFrom("message").select(columns).where("id", "<", expiry.firstId);
  const batchQuery = messages.orderBy("id").limit(MESSAGES_PER_BATCH);
  return removeExpired(store, expiry, {
    readAfter: (id) => batchQuery.where("id", ">", id).execute(),
    remove(old) {
      const setters = old.filter(({ last_night: last }) => last !== null && (last as number) >= firstNight);
      const past = setters.map((row) => [row.id!, row.property ?? "", row.at!, row.sender!, row.last_night!]);
      return [
        ...insertRows(INSERT_PAST_MESSAGE, past),
        ...deleteByKey("message_body", "message", listIds(old)),
        ...deleteByKey("message", "id", listIds(old)),
      ];
    },
  });
}

type PruneStep = { readAfter: (id: number) => Promise<Row[]>; remove: (old: readonly Row[]) => Statement[] };

/** Reads in ID order. */
async function removeExpired({ database, pause }: PruneContext, expiry: Expiry, { readAfter, remove }: PruneStep): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; await pause()) {
    const rows: Row[] = await readAfter(after);
    const old = rows.filter((row) => hasExpired(row, expiry));
    if (old.length > 0) await writeStatements(database, REMOVAL_LOCK, remove(old));
    after = rows.length < MESSAGES_PER_BATCH ? undefined : (rows.at(-1)!.id as number);
  }
}

function writeStatements(database: Database, lock: string, statements: readonly Statement[]): Promise<void> {
  return database.commit({ lock, read: [], decide: () => ({ write: statements, result: undefined }) });
}

async function prunePast({ database, pause }: PruneContext, firstNight: number): Promise<void> {
  const past = database.read.selectFrom("past_message").select("message as id").where("last_night", "<", firstNight);
  const batchQuery = past.orderBy("last_night").limit(MESSAGES_PER_BATCH);
  for (let more = true; more; await pause()) {
    const old = await batchQuery.execute();
    if (old.length > 0) await writeStatements(database, REMOVAL_LOCK, deleteByKey("past_message", "message", listIds(old)));
    more = old.length === MESSAGES_PER_BATCH;
  }
}

async function pruneNights({ database, pause }: PruneContext, firstNight: number): Promise<void> {
  const firstSpan = spanOf(firstNight);
  for (let after: string | undefined = ""; after !== undefined;) {
    const codes: string[] = await propertiesAfter(database, after);
    for (const property of codes) {
      await prunePages(database, property, firstSpan);
      await pause();
    }
    after = codes.length < PROPERTIES_PER_BATCH ? undefined : codes.at(-1);
  }
}

async function propertiesAfter(database: Database, after: string): Promise<string[]> {
  const query = database.read.selectFrom("property").select("code").where("code", ">", after);
  const rows = await query.orderBy("code").limit(PROPERTIES_PER_BATCH).execute();
  return rows.map((row) => row.code);
}

const NIGHT_TABLES = ["inventory_page", "rate_page"] as const;

async function prunePages(database: Database, property: string, firstSpan: number): Promise<void> {
  for (const table of NIGHT_TABLES) {
    const pages = database.read.selectFrom(table).select("span").where("property", "=", property).where("span", "<", firstSpan);
    const removal = { sql: `delete from ${table} where property = ? and span < ?`, values: [property, firstSpan] };
    if (await pages.limit(1).executeTakeFirst()) await writeStatements(database, property, [removal]);
  }
}

/**
 * Resets future activity times to `now`. Otherwise, properties whose messages were stored while the clock was ahead would not be listed as
 * silent.
 */
export function clampActivityTimes(database: Database, now: number): Promise<void> {
  const columns = ["last_message_at", "last_complete_set_at", "last_rate_plan_set_at"];
  return clampFutureTimes(database, { table: "property_activity", columns, now, maxAhead: DAY_MS });
}
