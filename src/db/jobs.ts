import type { Database } from "./database.ts";

/** Work that one of all processes does every `everyMs` milliseconds. */
export type Job = { name: string; everyMs: number };

/** Timers of processes are not in step, and none is exact. */
const TOLERANCE = 0.9;

/**
 * Whether this process is the one that does the job now. A job that was claimed further ahead than a whole interval counts as due: a
 * clock was wrong.
 */
export async function claimJob({ write }: Database, { name, everyMs }: Job, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await write
    .insertInto("job")
    .values({ name, claimed_at: now })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ claimed_at: now })
        .where((of) => of.or([of("job.claimed_at", "<=", now - everyMs * TOLERANCE), of("job.claimed_at", ">", now + everyMs)])),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
