import { type ExpressionBuilder, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { HOUR_MS } from "../../calendar/night.ts";
import { clampFutureTimes } from "../../db/clamp-times.ts";
import { type Database } from "../../db/database.ts";
import type { ErrorGroupRow } from "../../db/error-log-rows.ts";
import type { Tables } from "../../db/schema.ts";
import { type By, createAudit } from "../../records/audit.ts";
import type { ErrorGroup, GroupChange, GroupOrder, GroupPage, HourSpan, ListPosition } from "../entry.ts";
import { type ErrorFilter, sharedConditions } from "./list-store.ts";

export type GroupSlice = { order: GroupOrder; after: ListPosition | undefined; limit: number };

const SORT_COLUMNS = { last: "last_at", count: "count" } as const;

export async function listGroups({ read }: Database, filter: ErrorFilter, { order, after, limit }: GroupSlice): Promise<GroupPage> {
  const column = SORT_COLUMNS[order];
  const rows = await read
    .selectFrom("error_group")
    .selectAll()
    .select(newestEntry)
    .where((eb) => eb.and(filterConditions(eb, filter)))
    .$if(after !== undefined, (query) => query.where(sql<SqlBool>`(${sql.ref(column)}, id) < (${after!.value}, ${after!.id})`))
    .orderBy(column, "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { groups: rows.slice(0, limit).map(toGroup), next: last && { value: last[column], id: last.id } };
}

export async function findGroup({ read }: Database, id: number): Promise<ErrorGroup | undefined> {
  const row = await read.selectFrom("error_group").selectAll().select(newestEntry).where("id", "=", id).executeTakeFirst();
  return row && toGroup(row);
}

function newestEntry(eb: ExpressionBuilder<Tables, "error_group">) {
  return eb
    .selectFrom("error_entry")
    .select("error_entry.id")
    .whereRef("error_entry.group_id", "=", "error_group.id")
    .orderBy("error_entry.at", "desc")
    .orderBy("error_entry.id", "desc")
    .limit(1)
    .as("last_id");
}

function filterConditions(eb: ExpressionBuilder<Tables, "error_group">, filter: ErrorFilter) {
  const { group, state } = filter;
  const groupCondition = group === undefined ? [] : [eb("id", "=", group)];
  return [...sharedConditions(filter, "last_at"), ...groupCondition, ...(state === undefined ? [] : [eb("state", "=", state)])];
}

export async function readHourlyCounts(
  { read }: Database,
  ids: readonly number[],
  { first, hours }: HourSpan,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const counts = new Map(ids.map((id) => [id, Array.from({ length: hours }, () => 0)]));
  if (ids.length === 0) return counts;
  const rows = await read
    .selectFrom("error_hour")
    .selectAll()
    .where("group_id", "in", ids)
    .where("hour", ">=", first)
    .where("hour", "<", first + hours)
    .execute();
  for (const { group_id: id, hour, count } of rows) counts.get(id)![hour - first] = count;
  return counts;
}

function toGroup(row: Selectable<ErrorGroupRow> & { last_id: number | null }): ErrorGroup {
  const { id, message, algorithm, pattern, place, count } = row;
  return {
    ...{ id, message, algorithm, pattern, place, count, class: row.class },
    source: row.source,
    caught: row.caught === 1,
    status: row.status ?? undefined,
    firstAt: row.first_at,
    lastAt: row.last_at,
    lastId: row.last_id ?? undefined,
    state: row.state,
    reason: row.state_why,
    stateAt: row.state_at,
    mutedUntil: row.muted_until ?? undefined,
    muteAbove: row.mute_above ?? undefined,
  };
}

export function auditSubject(id: number): string {
  return `error-group:${id}`;
}

export type StateChange = { change: GroupChange; by: By };

export async function changeGroups(database: Database, ids: readonly number[], stateChange: StateChange): Promise<number> {
  return database.write.transaction().execute(async (db) => {
    let count = 0;
    for (const id of ids.toSorted((a, b) => a - b)) if (await changeGroup(db, id, stateChange)) count++;
    return count;
  });
}

async function changeGroup(db: Kysely<Tables>, id: number, { change, by }: StateChange): Promise<boolean> {
  const before = await db.selectFrom("error_group").select("state").where("id", "=", id).executeTakeFirst();
  if (!before) return false;
  if (before.state === change.state && change.state !== "muted") return true;
  const mute =
    change.state === "muted"
      ? { muted_until: change.until ?? null, mute_above: change.above ?? null, mute_base: await countHour(db, id, by.at) }
      : NO_MUTE;
  await db
    .updateTable("error_group")
    .set({ ...mute, state: change.state, state_why: "person", state_at: by.at, alert: null })
    .where("id", "=", id)
    .execute();
  const changes = [{ field: "state", from: before.state, to: change.label }];
  await createAudit(db, { ...by, action: change.state, subject: auditSubject(id), changes });
  return true;
}

const NO_MUTE = { muted_until: null, mute_above: null, mute_base: null };

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

const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Resets times that were stored while the clock was ahead to `now`. Otherwise, groups would not reopen or send alerts until those times.
 */
export function clampGroupTimes(database: Database, now: number): Promise<void> {
  const columns = ["last_at", "state_at", "alerted_at"];
  const stateReset = sql`muted_until = case when state_at > ${now + MAX_CLOCK_SKEW_MS} then muted_until - state_at + ${now} else muted_until end`;
  return clampFutureTimes(database, { table: "error_group", columns, now, maxAhead: MAX_CLOCK_SKEW_MS, alsoSet: stateReset });
}

/** Value of `alert` during a webhook call. A group that reopens during the call gets a different value, so its alert is not lost. */
const CLAIMED_ALERT = 2;

export async function countDueAlerts({ read }: Database, now: number): Promise<number> {
  const { due } = await read
    .selectFrom("error_group")
    .select((eb) => eb.fn.countAll<number>().as("due"))
    .where("alert", "is not", null)
    .where((eb) => eb.or([eb("alerted_at", "is", null), eb("alerted_at", "<=", now - HOUR_MS)]))
    .executeTakeFirstOrThrow();
  return Number(due);
}

/** Claims due groups for this process, newest first. Alerts that are not cleared become due again an hour later. */
export async function claimAlerts(database: Database, now: number, limit: number): Promise<number[]> {
  return database.commit({
    lock: "error_group",
    read: [{ sql: DUE, values: [now - HOUR_MS, limit] }],
    decide: ([rows]) => {
      const ids = rows!.map(({ id }) => id as number);
      return { write: sortForLocking(ids).map((id) => ({ sql: CLAIM_ALERT, values: [now, id] })), result: ids };
    },
  });
}

const DUE = `select id from error_group where alert is not null and (alerted_at is null or alerted_at <= ?) order by state_at desc limit ?`;
const CLAIM_ALERT = `update error_group set alert = ${CLAIMED_ALERT}, alerted_at = ? where id = ?`;

export async function clearAlerts(database: Database, ids: readonly number[], claimedAt: number): Promise<void> {
  const write = sortForLocking(ids).map((id) => ({ sql: CLEAR_ALERT, values: [id, claimedAt] }));
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

const CLEAR_ALERT = `update error_group set alert = null where id = ? and alerted_at = ? and alert = ${CLAIMED_ALERT}`;

/** Returns the order in which `sumByGroup` locks groups. */
function sortForLocking(ids: readonly number[]): number[] {
  return ids.toSorted((a, b) => a - b);
}
