import { DAY_MS } from "../calendar/night.ts";
import type { Database, Row } from "../db/database.ts";
import { firstIdSince, lastIdBefore } from "./messages.ts";

/**
 * Which messages have expired. `now` is the pruning time and `start` the oldest time to keep, in milliseconds since 1970. `firstId` is the ID
 * of the first message since `start`, and `lastExpiredId` of the last one before.
 */
export type Expiry = { now: number; start: number; firstId: number; lastExpiredId: number };

export async function findExpiry(database: Database, now: number, keepLogDays: number): Promise<Expiry> {
  const start = now - keepLogDays * DAY_MS;
  return { now, start, firstId: await firstIdSince(database, start), lastExpiredId: await lastIdBefore(database, start) };
}

/**
 * Whether a row with an ID below `firstId` has expired. A message from the future was received while the clock was ahead, and has expired if
 * a later one has. Without a later one, the clock may have been set back since.
 */
export function hasExpired({ id, at }: Row, { now, start, lastExpiredId }: Expiry): boolean {
  return (at as number) < start || ((at as number) > now && (id as number) < lastExpiredId);
}
