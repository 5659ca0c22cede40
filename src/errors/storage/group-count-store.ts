import { HOUR_MS } from "../../calendar/night.ts";
import type { Statement } from "../../db/database.ts";
import { ALGORITHM, type Grouping } from "../describe/grouping.ts";
import type { NewErrorRow } from "./row.ts";

/** `alert` marks new and reopened groups for the webhook. */
export type AlertMode = "alert" | "silent";

type CountedRow = Omit<NewErrorRow, "key" | "detail" | "bytes">;

export type GroupIncrement = {
  group: Grouping;
  newest: CountedRow;
  count: number;
  firstAt: number;
  /** Counts by hour since 1970. */
  hours: Map<number, number>;
};

/** Sums rows by group, sorted by group id: all writers lock groups in this order, which prevents deadlocks. */
export function sumByGroup(rows: readonly CountedRow[]): GroupIncrement[] {
  const increments = new Map<number, GroupIncrement>();
  for (const row of rows) {
    const hour = Math.floor(row.at / HOUR_MS);
    const known = increments.get(row.group.id);
    if (known) add(known, row, hour);
    else increments.set(row.group.id, { group: row.group, newest: row, count: 1, firstAt: row.at, hours: new Map([[hour, 1]]) });
  }
  return [...increments.values()].toSorted((a, b) => a.group.id - b.group.id);
}

function add(increment: GroupIncrement, row: CountedRow, hour: number): void {
  increment.count++;
  increment.hours.set(hour, (increment.hours.get(hour) ?? 0) + 1);
  if (row.at >= increment.newest.at) increment.newest = row;
  if (row.at < increment.firstAt) increment.firstAt = row.at;
}

/** Adds to the groups and their hours. Reopens resolved groups, and muted groups that exceed their hourly limit. */
export function countStatements(increments: readonly GroupIncrement[], mode: AlertMode): Statement[] {
  const alert = mode === "alert" ? 1 : null;
  return [
    ...increments.flatMap(hourStatements),
    ...increments.map((increment) => groupStatement(increment, alert)),
    ...increments.map((increment) => reopenStatement(increment, alert)),
  ];
}

function hourStatements({ group, hours }: GroupIncrement): Statement[] {
  return [...hours].toSorted(([a], [b]) => a - b).map(([hour, count]) => ({ sql: COUNT_HOUR, values: [group.id, hour, count] }));
}

const COUNT_HOUR = `insert into error_hour (group_id, hour, count) values (?, ?, ?)
  on conflict (group_id, hour) do update set count = error_hour.count + excluded.count`;

function groupStatement({ group, newest, count, firstAt }: GroupIncrement, alert: number | null): Statement {
  const { id, pattern, place } = group;
  const { class: name, source, message, caught, status, at } = newest;
  const values = [id, name, source, message, caught, status, ALGORITHM, pattern, place, count, firstAt, at, firstAt, alert];
  return { sql: COUNT_GROUP, values };
}

const COUNT_GROUP = `insert into error_group (id, class, source, message, caught, status, algorithm, pattern, place, count, first_at, last_at,
    state, state_why, state_at, alert) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', 'new', ?, ?)
  on conflict (id) do update set count = error_group.count + excluded.count,
    message = case when excluded.last_at >= error_group.last_at then excluded.message else error_group.message end,
    caught = case when excluded.last_at >= error_group.last_at then excluded.caught else error_group.caught end,
    status = case when excluded.last_at >= error_group.last_at then excluded.status else error_group.status end,
    first_at = case when excluded.first_at < error_group.first_at then excluded.first_at else error_group.first_at end,
    last_at = case when excluded.last_at > error_group.last_at then excluded.last_at else error_group.last_at end`;

/** Entries older than the last state change don't reopen a group, even if they are stored after it. */
function reopenStatement({ group, newest, hours }: GroupIncrement, alert: number | null): Statement {
  return { sql: REOPEN, values: [newest.at, alert, group.id, newest.at, Math.min(...hours.keys())] };
}

const REOPEN = `update error_group set state = 'open', state_why = case state when 'resolved' then 'regressed' else 'louder' end,
    state_at = ?, alert = ?, muted_until = null, mute_above = null, mute_base = null
  where id = ? and state_at < ? and (state = 'resolved' or (state = 'muted' and mute_above < (
    select max(count - case hour when error_group.state_at / 3600000 then error_group.mute_base else 0 end) from error_hour
    where group_id = error_group.id and hour >= error_group.state_at / 3600000 and hour >= ?)))`;
