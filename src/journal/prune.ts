import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { blockOf } from "../calendar/night-summary.ts";
import { DAY_MS, todayIn } from "../calendar/night.ts";
import { spanOf } from "../calendar/page.ts";
import type { Database, Row, Statement } from "../db/database.ts";
import { pullBack } from "../db/pull-back.ts";
import { deleteByKey } from "../db/statements.ts";
import { firstIdSince } from "./messages.ts";
import { idsOf, REMOVAL_LOCK, removalOf } from "./removal.ts";
import { pruneSummaries } from "./summary/store.ts";

/** `now` is the pruning time, in milliseconds since 1970. */
export type Retention = { now: number; keepLogDays: number; keepNightsDays: number };

export type PruneOptions = { signal?: AbortSignal };

const MESSAGE_BATCH = 500;
const PROPERTY_BATCH = 100;

/**
 * Deletes old undo records, messages and nights in small steps, so that messages are handled in between. Writes only if there is something
 * to delete. While a message's nights are stored, keeps its row without the bodies, so that a night still shows when and by whom it was
 * set. Keeps nights at least as long as the log, because `asOf` starts from them. If the signal aborts, rejects after the current step.
 */
export async function pruneJournal(
  database: Database,
  { now, keepLogDays, keepNightsDays }: Retention,
  options: PruneOptions = {},
): Promise<void> {
  const store = { database, pause: () => nextTurn(undefined, options) };
  const start = now - keepLogDays * DAY_MS;
  const log = { now, start, firstId: await firstIdSince(database, start) };
  const firstNight = todayIn("UTC", now) - Math.max(keepNightsDays, keepLogDays);
  await pruneChanges(store, log);
  await pruneUndos(store, log);
  await pruneMessages(store, log, firstNight);
  await pruneEmptied(store, log, firstNight);
  await pruneNights(store, firstNight);
  await pruneSummaries(database, blockOf(firstNight));
}

type Store = { database: Database; pause: () => Promise<void> };

type Log = { now: number; start: number; firstId: number };

const DELETE_CHANGES = "delete from change where position < ?";

/** Deletes old changes before their undo records, so that readers find both or neither. Keeps the last: positions continue from it. */
async function pruneChanges({ database, pause }: Store, { now, start }: Log): Promise<void> {
  const oldest = database.read.selectFrom("change").select(["position", "at"]).orderBy("position").limit(MESSAGE_BATCH);
  for (let more = true; more; await pause()) {
    const rows = await oldest.execute();
    const kept = rows.findIndex(({ at }) => at >= start && at <= now);
    const last = rows.at(kept === -1 ? -1 : kept);
    if (last && last !== rows[0]) await write(database, REMOVAL_LOCK, [{ sql: DELETE_CHANGES, values: [last.position] }]);
    more = kept === -1 && rows.length === MESSAGE_BATCH;
  }
}

/** The oldest remaining record determines how far back `asOf` goes. */
function pruneUndos(store: Store, log: Log): Promise<void> {
  const undos = store.database.read.selectFrom("night_undo").select(["message as id", "at"]).where("message", "<", log.firstId);
  const some = undos.orderBy("message").limit(MESSAGE_BATCH);
  return removeOld(store, log, {
    readAfter: (id) => some.where("message", ">", id).execute(),
    remove: (old) => deleteByKey("night_undo", "message", idsOf(old)),
  });
}

function pruneMessages(store: Store, log: Log, firstNight: number): Promise<void> {
  const { read } = store.database;
  const bodies = read.selectFrom("message_body").select("message").where("message", "<", log.firstId);
  const some = bodies.orderBy("message").limit(MESSAGE_BATCH);
  return removeOld(store, log, {
    readAfter: (id) =>
      read
        .selectFrom(some.where("message", ">", id).as("body"))
        .leftJoin("message", "message.id", "body.message")
        .select(["body.message as id", "received_at as at", "last_night", "pruned"])
        .orderBy("body.message")
        .execute(),
    remove: (old) => removalOf(old, ({ last_night: last }) => last !== null && (last as number) >= firstNight).write,
  });
}

type Part = { readAfter: (id: number) => Promise<Row[]>; remove: (old: readonly Row[]) => Statement[] };

/** Reads in ID order. Also deletes messages with future times, which were received while the clock was ahead. */
async function removeOld({ database, pause }: Store, { now, start }: Log, { readAfter, remove }: Part): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; await pause()) {
    const rows: Row[] = await readAfter(after);
    const old = rows.filter(({ at }) => at === null || (at as number) < start || (at as number) > now);
    if (old.length > 0) await write(database, REMOVAL_LOCK, remove(old));
    after = rows.length < MESSAGE_BATCH ? undefined : (rows.at(-1)!.id as number);
  }
}

function write(database: Database, lock: string, statements: readonly Statement[]): Promise<void> {
  return database.commit({ lock, read: [], decide: () => ({ write: statements, result: undefined }) });
}

async function pruneEmptied({ database, pause }: Store, { start }: Log, firstNight: number): Promise<void> {
  // Repeats the condition of the partial index.
  const isEmptied = sql<boolean>`pruned = 1`;
  const emptied = database.read.selectFrom("message").select("id").where(isEmptied).where("received_at", "<", start);
  const some = emptied.orderBy("last_night").limit(MESSAGE_BATCH);
  for (const query of [some.where("last_night", "is", null), some.where("last_night", "<", firstNight)]) {
    for (let more = true; more; await pause()) {
      const old = await query.execute();
      if (old.length > 0) await write(database, REMOVAL_LOCK, deleteByKey("message", "id", idsOf(old)));
      more = old.length === MESSAGE_BATCH;
    }
  }
}

async function pruneNights({ database, pause }: Store, firstNight: number): Promise<void> {
  const firstSpan = spanOf(firstNight);
  for (let after: string | undefined = ""; after !== undefined;) {
    const codes: string[] = await propertiesAfter(database, after);
    for (const property of codes) {
      await prunePages(database, property, firstSpan);
      await pause();
    }
    after = codes.length < PROPERTY_BATCH ? undefined : codes.at(-1);
  }
}

async function propertiesAfter(database: Database, after: string): Promise<string[]> {
  const query = database.read.selectFrom("property").select("code").where("code", ">", after);
  const rows = await query.orderBy("code").limit(PROPERTY_BATCH).execute();
  return rows.map((row) => row.code);
}

const NIGHT_TABLES = ["inventory_page", "rate_page"] as const;

async function prunePages(database: Database, property: string, firstSpan: number): Promise<void> {
  for (const table of NIGHT_TABLES) {
    const pages = database.read.selectFrom(table).select("span").where("property", "=", property).where("span", "<", firstSpan);
    const removal = { sql: `delete from ${table} where property = ? and span < ?`, values: [property, firstSpan] };
    if (await pages.limit(1).executeTakeFirst()) await write(database, property, [removal]);
  }
}

/** Moves future activity times back to `now`. Otherwise properties with messages from a fast clock would not be listed as silent. */
export function pullBackActivity(database: Database, now: number): Promise<void> {
  const columns = ["last_message_at", "last_complete_set_at", "last_rate_plan_set_at"];
  return pullBack(database, { table: "property_activity", columns, now, maxAhead: DAY_MS });
}
