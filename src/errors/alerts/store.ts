import type { ExpressionBuilder } from "kysely";
import { HOUR_MS } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import type { Tables } from "../../db/schema.ts";

/** Value of `alert` while a call is in progress. A group that reopens meanwhile gets another value, so its alert isn't lost. */
const CLAIMED = 2;

/** Returns groups that are due for an alert, newest first. A group alerts at most once an hour. */
export async function listDueAlerts({ read }: Database, now: number, limit: number): Promise<number[]> {
  const rows = await read
    .selectFrom("error_group")
    .select("id")
    .where((eb) => isDue(eb, now))
    .orderBy("state_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns false if another process claimed the alert. Unless it is cleared, it becomes due again an hour later. */
export async function claimAlert({ write }: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable("error_group")
    .set({ alert: CLAIMED, alerted_at: now })
    .where("id", "=", id)
    .where((eb) => isDue(eb, now))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function claimAlerts(database: Database, now: number, limit: number): Promise<number[]> {
  return database.commit({
    lock: "error_group",
    read: [{ sql: DUE, values: [now - HOUR_MS, limit] }],
    decide: ([rows]) => {
      const ids = rows!.map(({ id }) => id as number);
      return { write: inLockOrder(ids).map((id) => ({ sql: CLAIM, values: [now, id] })), result: ids };
    },
  });
}

const DUE = `select id from error_group where alert is not null and (alerted_at is null or alerted_at <= ?) order by state_at desc limit ?`;
const CLAIM = `update error_group set alert = ${CLAIMED}, alerted_at = ? where id = ?`;

/** Clears alerts that were sent. Groups that reopened since they were claimed stay due. */
export async function clearAlerts(database: Database, ids: readonly number[], claimedAt: number): Promise<void> {
  const write = inLockOrder(ids).map((id) => ({ sql: CLEAR, values: [id, claimedAt] }));
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

const CLEAR = `update error_group set alert = null where id = ? and alerted_at = ? and alert = ${CLAIMED}`;

/** The order in which `sumByGroup` locks groups. */
function inLockOrder(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}

function isDue(eb: ExpressionBuilder<Tables, "error_group">, now: number) {
  return eb.and([eb("alert", "is not", null), eb.or([eb("alerted_at", "is", null), eb("alerted_at", "<=", now - HOUR_MS)])]);
}
