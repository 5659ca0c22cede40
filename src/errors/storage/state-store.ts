import { type Kysely, sql } from "kysely";
import { HOUR_MS } from "../../calendar/night.ts";
import { createAudit } from "../../db/audit.ts";
import type { Database } from "../../db/database.ts";
import { pullBack } from "../../db/pull-back.ts";
import type { Tables } from "../../db/schema.ts";
import { type GroupChange, subjectOf } from "./group.ts";

/** What is made of groups, by whom, and when, in UTC milliseconds. */
export type Act = { change: GroupChange; actor: string; at: number };

/** Changes the state of groups, each with its entry in the audit. Answers how many there were; those of this state already stay as they are. */
export async function changeGroups(database: Database, ids: readonly number[], act: Act): Promise<number> {
  return database.write.transaction().execute(async (db) => {
    let known = 0;
    for (const id of ids.toSorted((one, other) => one - other)) if (await changeGroup(db, id, act)) known++;
    return known;
  });
}

async function changeGroup(db: Kysely<Tables>, id: number, { change, actor, at }: Act): Promise<boolean> {
  const before = await db.selectFrom("error_group").select("state").where("id", "=", id).executeTakeFirst();
  if (!before) return false;
  if (before.state === change.state && change.state !== "muted") return true;
  const mute = change.state === "muted" ? { ...limitsOf(change), mute_base: await countHour(db, id, at) } : UNMUTED;
  await db
    .updateTable("error_group")
    .set({ ...mute, state: change.state, state_why: "person", state_at: at, alert: null })
    .where("id", "=", id)
    .execute();
  const changes = [{ field: "state", from: before.state, to: change.words }];
  await createAudit(db, { at, actor, action: change.state, subject: subjectOf(id), changes });
  return true;
}

const UNMUTED = { muted_until: null, mute_above: null, mute_base: null };

function limitsOf({ until, above }: GroupChange & { state: "muted" }) {
  return { muted_until: until ?? null, mute_above: above ?? null };
}

/** What came in this hour before a mute does not end it. */
async function countHour(db: Kysely<Tables>, id: number, at: number): Promise<number> {
  const hour = Math.floor(at / HOUR_MS);
  const row = await db.selectFrom("error_hour").select("count").where("group_id", "=", id).where("hour", "=", hour).executeTakeFirst();
  return row?.count ?? 0;
}

/** Opens the groups that were muted until `now` or before. */
export async function endMutes({ read, write }: Database, now: number): Promise<void> {
  const due = await read
    .selectFrom("error_group")
    .select("id")
    .where("state", "=", "muted")
    .where("muted_until", "<=", now)
    .limit(1)
    .executeTakeFirst();
  if (!due) return;
  await write
    .updateTable("error_group")
    .set((of) => ({ ...UNMUTED, state: "open", state_why: "expired", state_at: of.ref("muted_until").$notNull() }))
    .where("state", "=", "muted")
    .where("muted_until", "<=", now)
    .execute();
}

/** Further than the clocks of two processes are apart. */
const AHEAD_MS = 60_000;

/**
 * Groups that were seen, changed or told of while the clock was ahead become groups of `now`: none would open or be told of until then. A mute
 * lasts as long as it was meant to.
 */
export function pullBackGroups(database: Database, now: number): Promise<void> {
  const columns = ["last_at", "state_at", "alerted_at"];
  const also = sql`muted_until = case when state_at > ${now + AHEAD_MS} then muted_until - state_at + ${now} else muted_until end`;
  return pullBack(database, { table: "error_group", columns, now, most: AHEAD_MS, also });
}
