import { compareText } from "../../calendar/compare-text.ts";
import type { Database } from "../../db/database.ts";

/** How many errors a rule left out of the log, which are only counted. Times are UTC milliseconds. */
export type Drop = { rule: string; count: number; firstAt: number; lastAt: number };

/** Adds to what was counted before. */
export async function addDrops(database: Database, drops: readonly Drop[]): Promise<void> {
  const inOrder = drops.toSorted((one, other) => compareText(one.rule, other.rule));
  const write = inOrder.map(({ rule, count, firstAt, lastAt }) => ({ sql: ADD, values: [rule, count, firstAt, lastAt] }));
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

const ADD = `insert into error_drop (rule, count, first_at, last_at) values (?, ?, ?, ?)
  on conflict (rule) do update set count = error_drop.count + excluded.count,
    last_at = case when excluded.last_at > error_drop.last_at then excluded.last_at else error_drop.last_at end`;

/** By rule. */
export async function listDrops({ read }: Database): Promise<Drop[]> {
  const rows = await read.selectFrom("error_drop").selectAll().orderBy("rule").execute();
  return rows.map(({ rule, count, first_at: firstAt, last_at: lastAt }) => ({ rule, count, firstAt, lastAt }));
}

/** Deletes the counts of rules that left nothing out since `at`. */
export async function pruneDrops({ write }: Database, at: number): Promise<void> {
  await write.deleteFrom("error_drop").where("last_at", "<", at).execute();
}
