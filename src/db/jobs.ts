import type { Database } from "./database.ts";

export type Job = { name: string; everyMs: number };

const INTERVAL_TOLERANCE = 0.9;

/** Returns whether this process should run the job now. Ignores claims far in the future, which were stored while the clock was wrong. */
export async function claimJob({ write }: Database, { name, everyMs }: Job, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await write
    .insertInto("job")
    .values({ name, claimed_at: now })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ claimed_at: now })
        .where((of) => of.or([of("job.claimed_at", "<=", now - everyMs * INTERVAL_TOLERANCE), of("job.claimed_at", ">", now + everyMs)])),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Renews the claim while a long job runs. */
export async function renewJob({ write }: Database, name: string, now: number): Promise<void> {
  await write.updateTable("job").set({ claimed_at: now }).where("name", "=", name).execute();
}

/** Ends the claim, so that any process can claim the job immediately. */
export async function releaseJob({ write }: Database, name: string): Promise<void> {
  await write.deleteFrom("job").where("name", "=", name).execute();
}
