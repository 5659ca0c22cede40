import type { Statement } from "../../db/database.ts";
import { ALGORITHM } from "../describe/grouping.ts";
import type { Tally } from "./tally.ts";

/** `told`: somebody is told of groups that are new or come again. */
export type Telling = "told" | "untold";

/**
 * Counts rows into their groups, whatever the state of these. What another process counts meanwhile is kept. A resolved group that
 * comes again is open, and so is one that comes more often than it was muted for.
 */
export function countStatements(tallies: readonly Tally[], telling: Telling): Statement[] {
  const alert = telling === "told" ? 1 : null;
  return [
    ...tallies.flatMap(hourStatements),
    ...tallies.map((tally) => groupStatement(tally, alert)),
    ...tallies.map((tally) => openStatement(tally, alert)),
  ];
}

function hourStatements({ group, hours }: Tally): Statement[] {
  return [...hours]
    .toSorted(([one], [other]) => one - other)
    .map(([hour, count]) => ({ sql: COUNT_HOUR, values: [group.id, hour, count] }));
}

const COUNT_HOUR = `insert into error_hour (group_id, hour, count) values (?, ?, ?)
  on conflict (group_id, hour) do update set count = error_hour.count + excluded.count`;

function groupStatement({ group, newest, count, firstAt }: Tally, alert: number | null): Statement {
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

/** What came before somebody resolved or muted the group, and is stored only now, opens nothing. */
function openStatement({ group, newest, hours }: Tally, alert: number | null): Statement {
  return { sql: OPEN, values: [newest.at, alert, group.id, newest.at, Math.min(...hours.keys())] };
}

const OPEN = `update error_group set state = 'open', state_why = case state when 'resolved' then 'regressed' else 'louder' end,
    state_at = ?, alert = ?, muted_until = null, mute_above = null, mute_base = null
  where id = ? and state_at < ? and (state = 'resolved' or (state = 'muted' and mute_above < (
    select max(count - case hour when error_group.state_at / 3600000 then error_group.mute_base else 0 end) from error_hour
    where group_id = error_group.id and hour >= error_group.state_at / 3600000 and hour >= ?)))`;
