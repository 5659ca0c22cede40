import { type Kysely, sql } from "kysely";
import { HOUR_MS } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { pullBack } from "../../db/pull-back.ts";
import type { Tables } from "../../db/schema.ts";
import { createAudit } from "../../records/audit.ts";
import { auditSubject, type GroupChange } from "./group.ts";

export type StateChange = { change: GroupChange; actor: string; at: number };

/** Changes the state of groups and adds audit entries. Returns how many of the groups exist, including unchanged ones. */
export async function changeGroups(database: Database, ids: readonly number[], stateChange: StateChange): Promise<number> {
  return database.write.transaction().execute(async (db) => {
    let count = 0;
    for (const id of ids.toSorted((a, b) => a - b)) if (await changeGroup(db, id, stateChange)) count++;
    return count;
  });
}

async function changeGroup(db: Kysely<Tables>, id: number, { change, actor, at }: StateChange): Promise<boolean> {
  const before = await db.selectFrom("error_group").select("state").where("id", "=", id).executeTakeFirst();
  if (!before) return false;
  if (before.state === change.state && change.state !== "muted") return true;
  const mute = change.state === "muted" ? { ...muteLimits(change), mute_base: await countHour(db, id, at) } : NO_MUTE;
  await db
    .updateTable("error_group")
    .set({ ...mute, state: change.state, state_why: "person", state_at: at, alert: null })
    .where("id", "=", id)
    .execute();
  const changes = [{ field: "state", from: before.state, to: change.label }];
  await createAudit(db, { at, actor, action: change.state, subject: auditSubject(id), changes });
  return true;
}

const NO_MUTE = { muted_until: null, mute_above: null, mute_base: null };

function muteLimits({ until, above }: GroupChange & { state: "muted" }) {
  return { muted_until: until ?? null, mute_above: above ?? null };
}

/** Entries of this hour before the mute, which don't count towards its limit. */
async function countHour(db: Kysely<Tables>, id: number, at: number): Promise<number> {
  const hour = Math.floor(at / HOUR_MS);
  const row = await db.selectFrom("error_hour").select("count").where("group_id", "=", id).where("hour", "=", hour).executeTakeFirst();
  return row?.count ?? 0;
}

export async function expireMutes({ read, write }: Database, now: number): Promise<void> {
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
    .set((eb) => ({ ...NO_MUTE, state: "open", state_why: "expired", state_at: eb.ref("muted_until").$notNull() }))
    .where("state", "=", "muted")
    .where("muted_until", "<=", now)
    .execute();
}

/** Larger than the clock difference between two processes. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Moves times recorded while the clock was ahead to `now`; otherwise groups would not reopen or alert until then. */
export function clampFutureTimes(database: Database, now: number): Promise<void> {
  const columns = ["last_at", "state_at", "alerted_at"];
  const also = sql`muted_until = case when state_at > ${now + MAX_CLOCK_SKEW_MS} then muted_until - state_at + ${now} else muted_until end`;
  return pullBack(database, { table: "error_group", columns, now, most: MAX_CLOCK_SKEW_MS, also });
}
