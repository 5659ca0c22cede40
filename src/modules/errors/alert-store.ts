import type { ExpressionBuilder } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Tables } from "../../db/schema.ts";
import { HOUR_MS } from "./tally.ts";

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

/** Nobody could be told: it is tried again after an hour, unless somebody has looked after the group meanwhile. */
export async function returnAlert({ write }: Database, id: number): Promise<void> {
  await write.updateTable("error_group").set({ alert: 1 }).where("id", "=", id).where("state", "=", "open").execute();
}

function isDue(of: ExpressionBuilder<Tables, "error_group">, now: number) {
  return of.and([of("alert", "is not", null), of.or([of("alerted_at", "is", null), of("alerted_at", "<=", now - HOUR_MS)])]);
}
