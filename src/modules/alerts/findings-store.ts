import { BLOCK_NIGHTS, blockOf, EMPTY_BLOCK_ID, hasProblem, type NightProblem } from "../../calendar/night-summary.ts";
import { HOUR_MS, type Night, todayIn } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import type { NightRange } from "../../journal/feed/expand.ts";
import { readBlocks } from "../../journal/summary/store.ts";
import type { AlertRule } from "./rules.ts";

type AlertScope = Pick<AlertRule, "property" | "group">;

/** Maximum number of messages to read, so that a flood doesn't slow the check down. */
const MAX_COUNTED_MESSAGES = 20_000;
/** Maximum difference between a property's local date and the UTC date, in nights. */
const TIME_ZONE_MARGIN_NIGHTS = 1;

function selectActiveProperties({ read }: Database, { property, group }: AlertScope) {
  let query = read.selectFrom("property as p").where("p.status", "=", "active");
  if (property !== undefined) query = query.where("p.code", "=", property);
  if (group !== undefined) query = query.where("p.group_name", "=", group);
  return query;
}

/** Returns the codes of active properties that were created before `since` and have had no accepted message since then. */
export async function findSilent(database: Database, scope: AlertScope, since: number): Promise<string[]> {
  const rows = await selectActiveProperties(database, scope)
    .leftJoin("property_activity as a", "a.property", "p.code")
    .select("p.code")
    .where(({ fn, ref }) => fn.coalesce(ref("a.last_message_at"), ref("p.created_at")), "<", since)
    .orderBy("p.code")
    .execute();
  return rows.map(({ code }) => code);
}

/** Counts the channel messages that were accepted and refused in the last hour. */
export async function countLastHour(
  { read }: Database,
  { property, group }: AlertScope,
  now: number,
): Promise<{ refused: number; total: number }> {
  let query = read
    .selectFrom("message")
    .select("outcome")
    .where("received_at", ">", now - HOUR_MS)
    .where("received_at", "<=", now)
    .where("dry_run", "=", 0);
  if (property !== undefined) query = query.where("message.property", "=", property);
  if (group !== undefined)
    query = query.where("message.property", "in", read.selectFrom("property").select("code").where("group_name", "=", group));
  const newestMessages = query.orderBy("received_at", "desc").limit(MAX_COUNTED_MESSAGES);
  const rows = await read
    .selectFrom(newestMessages.as("newest"))
    .select(["outcome", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("outcome")
    .execute();
  const sum = (outcomes: readonly string[]) => rows.reduce((all, one) => all + (outcomes.includes(one.outcome) ? Number(one.count) : 0), 0);
  const refusedCount = sum(["refused", "malformed"]);
  return { refused: refusedCount, total: refusedCount + sum(["ok", "warnings"]) };
}

type NightCheck = { problem: NightProblem; nights: number; now: number };

/** Returns the codes of active properties with the problem on any of the next `nights` nights that are within the booking horizon. */
export async function findWithProblem(database: Database, scope: AlertScope, { problem, nights, now }: NightCheck): Promise<string[]> {
  const properties = await selectActiveProperties(database, scope)
    .select(["p.code", "p.time_zone", "p.horizon_days"])
    .orderBy("p.code")
    .execute();
  const ranges = new Map(
    properties.map(({ code, time_zone: zone, horizon_days: days }) => [code, rangeFrom(todayIn(zone, now), Math.min(nights, days))]),
  );
  const utc = todayIn("UTC", now);
  const [first, last] = [blockOf(utc - TIME_ZONE_MARGIN_NIGHTS), blockOf(utc + nights + TIME_ZONE_MARGIN_NIGHTS)];
  const blocks = [EMPTY_BLOCK_ID, ...Array.from({ length: last - first + 1 }, (_, index) => first + index)];
  const coversAllProperties = scope.property === undefined && scope.group === undefined;
  const rows = await readBlocks(database, blocks, coversAllProperties ? undefined : [...ranges.keys()]);
  const propertiesFound = new Set<string>();
  const emptyFound = new Set<string>();
  for (const row of rows) {
    const range = ranges.get(row.property);
    if (!range) continue;
    if (row.block === EMPTY_BLOCK_ID) {
      if (hasProblem(row.nights, { first: 0, last: 0 }, problem)) emptyFound.add(row.property);
    } else if (row.block >= blockOf(range.first) && row.block <= blockOf(range.last)) {
      range.missingBlocks--;
      if (hasProblem(row.nights, clipToBlock(row.block, range), problem)) propertiesFound.add(row.property);
    }
  }
  return [...ranges]
    .filter(([code, range]) => propertiesFound.has(code) || (range.missingBlocks > 0 && emptyFound.has(code)))
    .map(([code]) => code);
}

/** Returns a range of nights. Its blocks count as missing until they are found; a missing block has the same summary as the empty block. */
function rangeFrom(first: Night, count: number): NightRange & { missingBlocks: number } {
  const last = first + count - 1;
  return { first, last, missingBlocks: blockOf(last) - blockOf(first) + 1 };
}

/** Returns the indexes of the range's nights in a block. */
function clipToBlock(block: number, { first, last }: NightRange): NightRange {
  const start = block * BLOCK_NIGHTS;
  return { first: Math.max(first - start, 0), last: Math.min(last - start, BLOCK_NIGHTS - 1) };
}

/** Finds failing webhooks, except those that an administrator has disabled. */
export async function findFailingWebhooks({ read }: Database): Promise<string[]> {
  const rows = await read
    .selectFrom("webhook")
    .select("name")
    .where(({ and, eb, or }) =>
      or([and([eb("failing_since", "is not", null), eb("disabled_at", "is", null)]), eb("disabled_reason", "is not", null)]),
    )
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

/** Counts open error groups with errors after `since`. */
export async function countOpenGroups({ read }: Database, since: number): Promise<number> {
  const row = await read
    .selectFrom("error_group")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("state", "=", "open")
    .where("last_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function listCodesIn(database: Database, scope: AlertScope): Promise<ReadonlySet<string>> {
  return new Set((await selectActiveProperties(database, scope).select("p.code").execute()).map(({ code }) => code));
}

export async function groupExists({ read }: Database, name: string): Promise<boolean> {
  return (await read.selectFrom("property").select("code").where("group_name", "=", name).limit(1).executeTakeFirst()) !== undefined;
}
