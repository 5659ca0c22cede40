import { type ExpressionBuilder, type Selectable, sql, type SqlBool } from "kysely";
import type { Database } from "../../db/database.ts";
import { contains } from "../../db/listing.ts";
import type { ErrorGroupRow, Tables } from "../../db/schema.ts";
import type { ErrorGroup, GroupOrder, GroupPage, HourSpan, Position } from "./group.ts";
import type { ErrorFilter } from "./list-store.ts";

export type GroupSlice = { order: GroupOrder; after: Position | undefined; limit: number };

const SORT_COLUMNS = { last: "last_at", count: "count" } as const;

/** Lists groups in descending order. `from` and `to` of the filter apply to when a group was last seen. */
export async function listGroups({ read }: Database, filter: ErrorFilter, { order, after, limit }: GroupSlice): Promise<GroupPage> {
  const column = SORT_COLUMNS[order];
  const rows = await read
    .selectFrom("error_group")
    .selectAll()
    .select(newestEntry)
    .where((eb) => eb.and(conditions(eb, filter)))
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

function conditions(eb: ExpressionBuilder<Tables, "error_group">, filter: ErrorFilter) {
  const all = [
    filter.state === undefined ? undefined : eb("state", "=", filter.state),
    filter.group === undefined ? undefined : eb("id", "=", filter.group),
    filter.class === undefined ? undefined : eb("class", "=", filter.class),
    filter.source === undefined ? undefined : eb("source", "=", filter.source),
    filter.caught === undefined ? undefined : eb("caught", "=", Number(filter.caught)),
    filter.status === undefined ? undefined : eb("status", "=", filter.status),
    filter.from === undefined ? undefined : eb("last_at", ">=", filter.from),
    filter.to === undefined ? undefined : eb("last_at", "<=", filter.to),
    filter.q === undefined ? undefined : eb.or([contains("message", filter.q), contains("class", filter.q)]),
  ];
  return all.filter((condition) => condition !== undefined);
}

/** Returns the counts of each hour in the span, by group. */
export async function readHours(
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
