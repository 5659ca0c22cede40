import type { ExpressionBuilder } from "kysely";
import { HOUR_MS } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import type { Tables } from "../../db/schema.ts";

/** The mark of a group of which somebody is being told; one that is opened meanwhile gets another. */
const CLAIMED = 2;

/** Groups of which somebody is to be told, the newest first: none of which somebody was told within the hour before `now`. */
export async function listAlerts({ read }: Database, now: number, limit: number): Promise<number[]> {
  const rows = await read
    .selectFrom("error_group")
    .select("id")
    .where((of) => isDue(of, now))
    .orderBy("state_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes it on to tell of a group at `now`; false where another process does. It stays due an hour later, unless `settleAlerts` is called. */
export async function claimAlert({ write }: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable("error_group")
    .set({ alert: CLAIMED, alerted_at: now })
    .where("id", "=", id)
    .where((of) => isDue(of, now))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Takes it on likewise to tell of at most `limit` of them together; answers which, the newest first. */
export async function claimAlerts(database: Database, now: number, limit: number): Promise<number[]> {
  return database.commit({
    lock: "error_group",
    read: [{ sql: DUE, values: [now - HOUR_MS, limit] }],
    decide: ([rows]) => {
      const ids = rows!.map(({ id }) => id as number);
      return { write: inOrder(ids).map((id) => ({ sql: CLAIM, values: [now, id] })), result: ids };
    },
  });
}

const DUE = `select id from error_group where alert is not null and (alerted_at is null or alerted_at <= ?) order by state_at desc limit ?`;
const CLAIM = `update error_group set alert = ${CLAIMED}, alerted_at = ? where id = ?`;

/** Somebody was told of groups that were claimed at `claimedAt`. One that was opened again since then stays due. */
export async function settleAlerts(database: Database, ids: readonly number[], claimedAt: number): Promise<void> {
  const write = inOrder(ids).map((id) => ({ sql: SETTLE, values: [id, claimedAt] }));
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

const SETTLE = `update error_group set alert = null where id = ? and alerted_at = ? and alert = ${CLAIMED}`;

/** Of their numbers, in which whoever counts errors locks them, too. */
function inOrder(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other);
}

function isDue(of: ExpressionBuilder<Tables, "error_group">, now: number) {
  return of.and([of("alert", "is not", null), of.or([of("alerted_at", "is", null), of("alerted_at", "<=", now - HOUR_MS)])]);
}
