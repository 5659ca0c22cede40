import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { DAY_MS, todayIn } from "../calendar/night.ts";
import { SPAN_DAYS } from "../calendar/runs.ts";
import type { Database, Row, Statement } from "../db/database.ts";
import { deleteByKey } from "../db/statements.ts";
import { firstIdSince } from "./messages.ts";
import { idsOf, REMOVAL_LOCK, removalOf } from "./removal.ts";

/** `now` is how far time has come for pruning, in milliseconds since 1970. */
export type Retention = { now: number; keepLogDays: number; keepNightsDays: number };

/** Without a signal the end is reached. */
export type Until = { signal?: AbortSignal };

const MESSAGES_AT_ONCE = 500;
const PROPERTIES_AT_ONCE = 100;

/**
 * Removes old undo records, messages with their bodies, and nights, in small steps, between which messages come in; writes only where
 * there is something to remove. A message whose nights are still kept stays as a row without bodies, so that a night still knows when and
 * by whom it was set. Nights are kept as long as the log: `asOf` goes back from them. Rejects after the step under way when it is to end.
 */
export async function pruneJournal(database: Database, { now, keepLogDays, keepNightsDays }: Retention, until: Until = {}): Promise<void> {
  const store = { database, pause: () => nextTurn(undefined, until) };
  const start = now - keepLogDays * DAY_MS;
  const log = { now, start, firstId: await firstIdSince(database, start) };
  const firstNight = todayIn("UTC", now) - Math.max(keepNightsDays, keepLogDays);
  await pruneUndos(store, log);
  await pruneMessages(store, log, firstNight);
  await pruneEmptied(store, log, firstNight);
  await pruneNights(store, firstNight);
}

type Store = { database: Database; pause: () => Promise<void> };

/** What is kept begins at the moment `start`, with the message `firstId`. */
type Log = { now: number; start: number; firstId: number };

/** The oldest one that is left tells how far back the past is known. */
function pruneUndos(store: Store, log: Log): Promise<void> {
  const undos = store.database.read.selectFrom("night_undo").select(["message as id", "at"]).where("message", "<", log.firstId);
  const some = undos.orderBy("message").limit(MESSAGES_AT_ONCE);
  return removeOld(store, log, {
    readAfter: (id) => some.where("message", ">", id).execute(),
    remove: (old) => deleteByKey("night_undo", "message", idsOf(old)),
  });
}

/** They are found by their bodies, which those that were emptied have no more. */
function pruneMessages(store: Store, log: Log, firstNight: number): Promise<void> {
  const { read } = store.database;
  const bodies = read.selectFrom("message_body").select("message").where("message", "<", log.firstId);
  const some = bodies.orderBy("message").limit(MESSAGES_AT_ONCE);
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

/** Goes through messages in the order of their ids. What is of a moment to come was received while the clock was ahead. */
async function removeOld({ database, pause }: Store, { now, start }: Log, { readAfter, remove }: Part): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; await pause()) {
    const rows: Row[] = await readAfter(after);
    const old = rows.filter(({ at }) => at === null || (at as number) < start || (at as number) > now);
    if (old.length > 0) await write(database, REMOVAL_LOCK, remove(old));
    after = rows.length < MESSAGES_AT_ONCE ? undefined : (rows.at(-1)!.id as number);
  }
}

function write(database: Database, lock: string, statements: readonly Statement[]): Promise<void> {
  return database.commit({ lock, read: [], decide: () => ({ write: statements, result: undefined }) });
}

/** Rows that were left without bodies, once no night that is kept names them any more, and no undo record is found through them. */
async function pruneEmptied({ database, pause }: Store, { start }: Log, firstNight: number): Promise<void> {
  // The index has only these rows, and serves only a query that says so.
  const isEmptied = sql<boolean>`pruned = 1`;
  const emptied = database.read.selectFrom("message").select("id").where(isEmptied).where("received_at", "<", start);
  const some = emptied.orderBy("last_night").limit(MESSAGES_AT_ONCE);
  for (const query of [some.where("last_night", "is", null), some.where("last_night", "<", firstNight)]) {
    for (let more = true; more; await pause()) {
      const old = await query.execute();
      if (old.length > 0) await write(database, REMOVAL_LOCK, deleteByKey("message", "id", idsOf(old)));
      more = old.length === MESSAGES_AT_ONCE;
    }
  }
}

/** Removes pages whose nights are all too old. */
async function pruneNights({ database, pause }: Store, firstNight: number): Promise<void> {
  const firstSpan = Math.floor(firstNight / SPAN_DAYS);
  for (let after: string | undefined = ""; after !== undefined;) {
    const codes: string[] = await propertiesAfter(database, after);
    for (const property of codes) {
      await prunePages(database, property, firstSpan);
      await pause();
    }
    after = codes.length < PROPERTIES_AT_ONCE ? undefined : codes.at(-1);
  }
}

async function propertiesAfter(database: Database, after: string): Promise<string[]> {
  const query = database.read.selectFrom("property").select("code").where("code", ">", after);
  const rows = await query.orderBy("code").limit(PROPERTIES_AT_ONCE).execute();
  return rows.map((row) => row.code);
}

/** Their undo records go with the log. */
const NIGHT_TABLES = ["inventory_page", "rate_page"] as const;

async function prunePages(database: Database, property: string, firstSpan: number): Promise<void> {
  for (const table of NIGHT_TABLES) {
    const pages = database.read.selectFrom(table).select("span").where("property", "=", property).where("span", "<", firstSpan);
    const removal = { sql: `delete from ${table} where property = ? and span < ?`, values: [property, firstSpan] };
    if (await pages.limit(1).executeTakeFirst()) await write(database, property, [removal]);
  }
}
