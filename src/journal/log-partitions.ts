import { DAY_MS } from "../calendar/night.ts";
import type { Database, LogPartition } from "../db/database.ts";
import type { Expiry } from "./expiry.ts";
import { firstIdSince, nextMessageId } from "./messages.ts";

const MAX_PARTITIONS = 12;
/** Enough for the messages that are stored while a partition is added. */
const MIN_IDS_PER_PARTITION = 100_000;

/** Returns how many days of messages a partition of a busy log contains. */
export function daysPerPartition(keepLogDays: number): number {
  return Math.max(1, keepLogDays / MAX_PARTITIONS);
}

/** Adds a partition to the log before the previous one is full, at the current rate of messages. */
export async function addLogPartition(database: Database, now: number, days: number): Promise<void> {
  const last = (await database.logPartitions.list()).at(-1);
  if (!last) return;
  const nextId = await nextMessageId(database);
  const ids = Math.max(MIN_IDS_PER_PARTITION, nextId - (await firstIdSince(database, now - days * DAY_MS)));
  if (nextId + ids > last.from) await database.logPartitions.add(ids);
}

/** Lists the oldest partitions of the log, if all their messages have expired and newer ones follow. */
export async function listExpiredPartitions(database: Database, expiry: Expiry): Promise<LogPartition[]> {
  const expiredPartitions: LogPartition[] = [];
  for (const partition of await listFullPartitions(database)) {
    if (partition.before > expiry.firstId || (await hasCurrentMessage(database, partition, expiry))) break;
    expiredPartitions.push(partition);
  }
  return expiredPartitions;
}

/** Returns whether the oldest partition will expire within `days`, so that its messages need not be deleted individually. */
export async function isPartitionExpiring(database: Database, { start }: Expiry, days: number): Promise<boolean> {
  const [oldest] = await listFullPartitions(database);
  if (!oldest) return false;
  const recent = messagesIn(database, oldest).where("received_at", ">=", start + days * DAY_MS);
  return (await recent.limit(1).executeTakeFirst()) === undefined;
}

async function listFullPartitions(database: Database): Promise<LogPartition[]> {
  const partitions = await database.logPartitions.list();
  const nextId = partitions.length === 0 ? 0 : await nextMessageId(database);
  return partitions.filter(({ before }) => before < nextId);
}

/** Returns whether a partition contains a message for which `hasExpired` returns false. */
async function hasCurrentMessage(database: Database, partition: LogPartition, { now, start, lastExpiredId }: Expiry): Promise<boolean> {
  const current = messagesIn(database, partition)
    .where("received_at", ">=", start)
    .where((is) => is.or([is("received_at", "<=", now), is("id", ">=", lastExpiredId)]));
  return (await current.limit(1).executeTakeFirst()) !== undefined;
}

function messagesIn({ read }: Database, { from, before }: LogPartition) {
  return read.selectFrom("message").select("id").where("id", ">=", from).where("id", "<", before);
}
