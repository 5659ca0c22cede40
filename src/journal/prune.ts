import { setImmediate as nextTurn } from "node:timers/promises";
import { DAY_MS, todayIn } from "../calendar/night.ts";
import { SPAN_DAYS } from "../calendar/runs.ts";
import type { Database, Row } from "../db/database.ts";
import { REMOVAL_LOCK, removalOf } from "./removal.ts";

/** `now` in milliseconds since 1970. */
export type Retention = { now: number; keepLogDays: number; keepNightsDays: number };

/** Without a signal the end is reached. */
export type Until = { signal?: AbortSignal };

const MESSAGES_AT_ONCE = 500;
const UNDOS_AT_ONCE = 1_000;
const PROPERTIES_AT_ONCE = 100;

/**
 * Removes old messages with their bodies, undo records and nights, in small steps, between which messages come in.
 * A message whose nights are still kept stays as a row without bodies, so that a night still knows when and by
 * whom it was set. Nights are kept as long as the log: `asOf` goes back from them. Rejects after the step under way when it is to end.
 */
export async function pruneJournal(database: Database, { now, keepLogDays, keepNightsDays }: Retention, until: Until = {}): Promise<void> {
  const logStart = now - keepLogDays * DAY_MS;
  const firstNight = todayIn("UTC", now) - Math.max(keepNightsDays, keepLogDays);
  const pause = () => nextTurn(undefined, until);
  await pruneMessages({ database, pause }, logStart, firstNight);
  await pruneUndos({ database, pause }, logStart);
  await pruneNights({ database, pause }, firstNight);
}

type Store = { database: Database; pause: () => Promise<void> };

type Cursor = { at: number; id: number };

const OLD_MESSAGES = `select id, received_at, last_night, pruned from message
  where received_at < ? and (received_at, id) > (?, ?) order by received_at, id limit ${MESSAGES_AT_ONCE}`;

async function pruneMessages({ database, pause }: Store, logStart: number, firstNight: number): Promise<void> {
  const stays = (row: Row) => row.last_night !== null && (row.last_night as number) >= firstNight;
  let cursor: Cursor | undefined = { at: Number.MIN_SAFE_INTEGER, id: 0 };
  while (cursor) {
    const { at, id }: Cursor = cursor;
    cursor = await database.commit({
      lock: REMOVAL_LOCK,
      read: [{ sql: OLD_MESSAGES, values: [logStart, at, id] }],
      decide: ([rows]) => ({ write: removalOf(rows!, stays).write, result: cursorAfter(rows!) }),
    });
    await pause();
  }
}

function cursorAfter(rows: readonly Row[]): Cursor | undefined {
  const last = rows.at(-1);
  return rows.length < MESSAGES_AT_ONCE || !last ? undefined : { at: last.received_at as number, id: last.id as number };
}

const OLDEST_UNDOS = `select message, at from night_undo order by message limit ${UNDOS_AT_ONCE}`;

/** Removes up to the first message that is young enough, so that the oldest one left tells how far back the past is known. */
async function pruneUndos({ database, pause }: Store, logStart: number): Promise<void> {
  for (let more = true; more; await pause()) {
    more = await database.commit({
      lock: undefined,
      read: [{ sql: OLDEST_UNDOS, values: [] }],
      decide: ([rows]) => {
        const kept = rows!.findIndex((row) => (row.at as number) >= logStart);
        const last = rows!.at(kept === -1 ? -1 : kept - 1);
        const write = last && kept !== 0 ? [{ sql: "delete from night_undo where message <= ?", values: [last.message!] }] : [];
        return { write, result: kept === -1 && rows!.length === UNDOS_AT_ONCE };
      },
    });
  }
}

/** Removes pages whose nights are all too old. */
async function pruneNights({ database, pause }: Store, firstNight: number): Promise<void> {
  const firstSpan = Math.floor(firstNight / SPAN_DAYS);
  for (let after: string | undefined = ""; after !== undefined; await pause()) {
    const codes: string[] = await propertiesAfter(database, after);
    for (const code of codes) await removeNights(database, code, firstSpan);
    after = codes.length < PROPERTIES_AT_ONCE ? undefined : codes.at(-1);
  }
}

async function propertiesAfter(database: Database, after: string): Promise<string[]> {
  const query = database.read.selectFrom("property").select("code").where("code", ">", after);
  const rows = await query.orderBy("code").limit(PROPERTIES_AT_ONCE).execute();
  return rows.map((row) => row.code);
}

/** Their undo records go with the log. */
const NIGHT_TABLES = ["inventory_page", "rate_page"];

function removeNights(database: Database, property: string, firstSpan: number): Promise<void> {
  return database.commit({
    lock: property,
    read: [],
    decide: () => ({
      write: NIGHT_TABLES.map((table) => ({ sql: `delete from ${table} where property = ? and span < ?`, values: [property, firstSpan] })),
      result: undefined,
    }),
  });
}
