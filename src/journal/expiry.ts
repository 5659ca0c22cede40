import { DAY_MS } from "../calendar/night.ts";
import type { Database, Row } from "../db/database.ts";
import { firstIdSince, lastIdBefore } from "./messages.ts";

/**
 * Determines which messages have expired. Times are in milliseconds since 1970: `now` is the pruning time, and `start` the oldest time to
 * keep. `firstId` is the ID of the first message at or after `start`, and `lastExpiredId` is the ID of the last message before `start`.
 */
export type Expiry = { now: number; start: number; firstId: number; lastExpiredId: number };

export async function findExpiry(database: Database, now: number, keepLogDays: number): Promise<Expiry> {
  const start = now - keepLogDays * DAY_MS;
  return { now, start, firstId: await firstIdSince(database, start), lastExpiredId: await lastIdBefore(database, start) };
}

/**
 * Whether a row with an ID below `firstId` has expired. A row dated in the future was stored while the clock was ahead. It counts as expired if
 * a row with a higher ID has expired; otherwise it may be recent, because the clock may just have been set back.
 */
export function hasExpired({ id, at }: Row, { now, start, lastExpiredId }: Expiry): boolean {
  return (at as number) < start || ((at as number) > now && (id as number) < lastExpiredId);
}
