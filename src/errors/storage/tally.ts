import { HOUR_MS } from "../../calendar/night.ts";
import type { Grouping } from "../describe/grouping.ts";
import type { NewErrorRow } from "./store.ts";

type CountedRow = Omit<NewErrorRow, "key" | "detail" | "bytes">;

/** What one batch adds to a group; `newest` is the last of its rows by time. */
export type Tally = {
  group: Grouping;
  newest: CountedRow;
  count: number;
  firstAt: number;
  /** How many came in each hour since 1970. */
  hours: Map<number, number>;
};

/** Adds rows up by group, in the order of the groups' numbers: whoever writes several of them at once locks them in this order. */
export function tallyRows(rows: readonly CountedRow[]): Tally[] {
  const tallies = new Map<number, Tally>();
  for (const row of rows) {
    const hour = Math.floor(row.at / HOUR_MS);
    const known = tallies.get(row.group.id);
    if (known) add(known, row, hour);
    else tallies.set(row.group.id, { group: row.group, newest: row, count: 1, firstAt: row.at, hours: new Map([[hour, 1]]) });
  }
  return [...tallies.values()].toSorted((one, other) => one.group.id - other.group.id);
}

function add(tally: Tally, row: CountedRow, hour: number): void {
  tally.count++;
  tally.hours.set(hour, (tally.hours.get(hour) ?? 0) + 1);
  if (row.at >= tally.newest.at) tally.newest = row;
  if (row.at < tally.firstAt) tally.firstAt = row.at;
}
