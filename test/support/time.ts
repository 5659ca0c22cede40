import type { TestApp } from "./app.ts";

/** Sets the clock and the pruning time to `at`, as if the service had been running until then. */
export async function runUntil({ database, clock }: Pick<TestApp, "database" | "clock">, at: number): Promise<void> {
  clock.set(at);
  const reached = { reached_at: at, seen_at: at };
  await database.write
    .insertInto("pruning_time")
    .values({ name: "clock", ...reached })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(reached))
    .execute();
}
