import type { ExpressionBuilder } from "kysely";
import { HOUR_MS } from "../../../calendar/night.ts";
import type { Database } from "../../../db/database.ts";
import type { Tables } from "../../../db/schema.ts";

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

/** Takes it on to tell of a group at `now`; false where another process does. */
export async function claimAlert({ write }: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable("error_group")
    .set({ alert: null, alerted_at: now })
    .where("id", "=", id)
    .where((of) => isDue(of, now))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Takes it on to tell of at most `limit` of them together; answers which, the newest first. */
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
const CLAIM = "update error_group set alert = null, alerted_at = ? where id = ?";

/** Nobody could be told: it is tried again after an hour, unless somebody has looked after a group meanwhile. */
export async function returnAlerts(database: Database, ids: readonly number[]): Promise<void> {
  const write = inOrder(ids).map((id) => ({ sql: "update error_group set alert = 1 where id = ? and state = 'open'", values: [id] }));
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

/** Of their numbers, in which whoever counts errors locks them, too. */
function inOrder(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other);
}

function isDue(of: ExpressionBuilder<Tables, "error_group">, now: number) {
  return of.and([of("alert", "is not", null), of.or([of("alerted_at", "is", null), of("alerted_at", "<=", now - HOUR_MS)])]);
}
