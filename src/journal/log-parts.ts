import { DAY_MS } from "../calendar/night.ts";
import type { Database, LogPart } from "../db/database.ts";
import type { Expiry } from "./expiry.ts";
import { firstIdSince } from "./messages.ts";

const MAX_PARTS = 12;
/** Enough for the messages that are stored while a partition is added. */
const MIN_IDS = 100_000;

/** Returns how many days of messages a part of a busy log contains. */
export function daysOfPart(keepLogDays: number): number {
  return Math.max(1, keepLogDays / MAX_PARTS);
}

/** Adds a part to the log before the previous one is full, at the current rate of messages. */
export async function addLogPart(database: Database, now: number, days: number): Promise<void> {
  const last = (await database.logParts.list()).at(-1);
  if (!last) return;
  const newest = await findNewestId(database);
  const ids = Math.max(MIN_IDS, newest - (await firstIdSince(database, now - days * DAY_MS)));
  if (newest + ids > last.from) await database.logParts.add(ids);
}

/** Lists the oldest parts of the log, if all their messages have expired and newer ones follow. */
export async function listExpiredParts(database: Database, expiry: Expiry): Promise<LogPart[]> {
  const expired: LogPart[] = [];
  for (const part of await listFullParts(database)) {
    if (part.before > expiry.firstId || (await hasCurrentMessage(database, part, expiry))) break;
    expired.push(part);
  }
  return expired;
}

/** Whether the oldest part will expire within `days`, so that its messages need not be deleted individually. */
export async function isPartExpiring(database: Database, { start }: Expiry, days: number): Promise<boolean> {
  const [oldest] = await listFullParts(database);
  if (!oldest) return false;
  const recent = messagesIn(database, oldest).where("received_at", ">=", start + days * DAY_MS);
  return (await recent.limit(1).executeTakeFirst()) === undefined;
}

async function listFullParts(database: Database): Promise<LogPart[]> {
  const parts = await database.logParts.list();
  const newest = parts.length === 0 ? 0 : await findNewestId(database);
  return parts.filter(({ before }) => before <= newest);
}

/** Corresponds to `hasExpired`. */
async function hasCurrentMessage(database: Database, part: LogPart, { now, start, lastExpiredId }: Expiry): Promise<boolean> {
  const current = messagesIn(database, part)
    .where("received_at", ">=", start)
    .where((is) => is.or([is("received_at", "<=", now), is("id", ">=", lastExpiredId)]));
  return (await current.limit(1).executeTakeFirst()) !== undefined;
}

function messagesIn({ read }: Database, { from, before }: LogPart) {
  return read.selectFrom("message").select("id").where("id", ">=", from).where("id", "<", before);
}

async function findNewestId({ read }: Database): Promise<number> {
  return (await read.selectFrom("message").select("id").orderBy("id", "desc").limit(1).executeTakeFirst())?.id ?? 0;
}
