import { DAY_MS } from "../calendar/night.ts";
import type { Database, LogPartition } from "../db/database.ts";
import { firstIdSince } from "./messages.ts";

/** `start` is the oldest time to keep and `now` the current time, in milliseconds since 1970. `part` is the time that a part covers. */
export type PartitionTimes = { now: number; start: number; part: number };

const MAX_PARTITIONS = 12;
/** Enough for the messages that are stored while a part is added. */
const MIN_IDS_PER_PARTITION = 100_000;

export function partitionDuration(keepLogDays: number): number {
  return Math.max(1, keepLogDays / MAX_PARTITIONS) * DAY_MS;
}

/** Adds a part to the log before the previous one is full, at the current rate of messages. */
export async function addLogPartition(database: Database, { now, part }: PartitionTimes): Promise<void> {
  const last = (await database.logParts.list()).at(-1);
  if (!last) return;
  const newestId = await findNewestId(database);
  const ids = Math.max(MIN_IDS_PER_PARTITION, newestId - (await firstIdSince(database, now - part)));
  if (newestId + ids > last.from) await database.logParts.add(Math.max(newestId, last.from) + ids);
}

/** Lists the full parts of the log that have no messages to keep. Their messages are old, or were received while the clock was ahead. */
export async function listExpiredPartitions(database: Database, { now, start }: PartitionTimes): Promise<LogPartition[]> {
  const expiredPartitions: LogPartition[] = [];
  const firstId = await firstIdSince(database, start);
  for (const part of await listFullPartitions(database)) {
    if (part.before > firstId || (await hasMessage(database, part, { from: start, to: now }))) break;
    expiredPartitions.push(part);
  }
  return expiredPartitions;
}

/** Whether the oldest part is so old that it will soon expire, so that its messages need not be deleted individually. */
export async function isPartitionExpiring(database: Database, { start, part }: PartitionTimes): Promise<boolean> {
  const [oldest] = await listFullPartitions(database);
  return oldest !== undefined && !(await hasMessage(database, oldest, { from: start + part, to: Number.MAX_SAFE_INTEGER }));
}

async function listFullPartitions(database: Database): Promise<LogPartition[]> {
  const partitions = await database.logParts.list();
  const newestId = partitions.length === 0 ? 0 : await findNewestId(database);
  return partitions.filter(({ before }) => before <= newestId);
}

async function hasMessage({ read }: Database, { from, before }: LogPartition, times: { from: number; to: number }): Promise<boolean> {
  const messages = read.selectFrom("message").select("id").where("id", ">=", from).where("id", "<", before);
  return (
    (await messages
      .where((is) => is.between("received_at", times.from, times.to))
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

async function findNewestId({ read }: Database): Promise<number> {
  return (await read.selectFrom("message").select("id").orderBy("id", "desc").limit(1).executeTakeFirst())?.id ?? 0;
}
