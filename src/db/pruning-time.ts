import type { Kysely } from "kysely";
import type { Database } from "./database.ts";
import type { PruningTimeRow, Tables } from "./schema.ts";

const CLOCK_JUMP_MS = 86_400_000;
/** After the clock jumps ahead, pruning time runs this many times faster than the clock until it has caught up. */
const CATCH_UP_FACTOR = 2;
const CLOCK_ROW_NAME = "clock";

export type ClockJump = { from: number; to: number };

type StoredPruningTime = Pick<PruningTimeRow, "reached_at" | "seen_at">;

/**
 * Returns the time used to determine the age of data. It follows the clock while a process is running and catches up slowly after a jump,
 * so a clock that is wrong for a day deletes at most a day of data too early.
 */
export async function pruningTime({ read }: Database, now: number): Promise<number> {
  return advanceTimes(await readPruningTime(read, now), now).reached_at;
}

/** Returns how many days pruning time lags behind the clock, or 0 for up to a day. */
export async function countDaysBehind(database: Database, now: number): Promise<number> {
  const lagMs = now - (await pruningTime(database, now));
  return lagMs > CLOCK_JUMP_MS ? Math.round(lagMs / CLOCK_JUMP_MS) : 0;
}

/** Stores the current time. Call at least daily. Returns how far the clock has jumped since the last call, if it has. */
export function recordClock(database: Database, now: number): Promise<ClockJump | undefined> {
  return database.edit("pruning", async (db) => {
    const before = await readPruningTime(db, now);
    const newTime = advanceTimes(before, now);
    await db
      .insertInto("pruning_time")
      .values({ name: CLOCK_ROW_NAME, ...newTime })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(newTime))
      .execute();
    return now - before.seen_at > CLOCK_JUMP_MS ? { from: before.seen_at, to: now } : undefined;
  });
}

function advanceTimes({ reached_at: reached, seen_at: seen }: StoredPruningTime, now: number): StoredPruningTime {
  const msPassed = now - seen > CLOCK_JUMP_MS ? 0 : Math.max(0, now - seen);
  return { reached_at: Math.min(now, reached + msPassed * CATCH_UP_FACTOR), seen_at: now };
}

/** Reads the pruning time. Without a stored time, starts at the newest log entry, or at the current time in a new database. */
async function readPruningTime(db: Kysely<Tables>, now: number): Promise<StoredPruningTime> {
  const storedTime = await db
    .selectFrom("pruning_time")
    .select(["reached_at", "seen_at"])
    .where("name", "=", CLOCK_ROW_NAME)
    .executeTakeFirst();
  if (storedTime) return storedTime;
  const message = await db.selectFrom("message").select("received_at as at").orderBy("id", "desc").limit(1).executeTakeFirst();
  const error = await db.selectFrom("error_entry").select("at").orderBy("id", "desc").limit(1).executeTakeFirst();
  const times = [message?.at, error?.at].filter((at) => at !== undefined);
  const newestTime = times.length === 0 ? now : Math.min(now, Math.max(...times));
  return { reached_at: newestTime, seen_at: newestTime };
}
