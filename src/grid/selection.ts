import type { LaneKey } from "../calendar/lane.ts";
import { type Night, parseNight } from "../calendar/night.ts";

/** A row of `/inventories` or `/rates`, as in the query's `nightRow`. */
type SelectedRow = Readonly<Record<"category" | "plan" | "room", string>>;

/** Selected nights in one or more rows, from `first` to `last` (inclusive). */
export type GridSelection = { first: Night; last: Night; rows: readonly SelectedRow[] };

/**
 * Parses `FIRST/LAST,CATEGORY/CODE,...`. A code is a rate plan in `/rates`, and a room or empty (the whole category) in `/inventories`.
 * `CATEGORY/PLAN/ROOM` contains both. Codes are URL-encoded twice, because they may contain the separators.
 */
export function readSelection(text: string, kind: "plan" | "room"): GridSelection | undefined {
  const [dates = "", ...keys] = text.split(",");
  const [first, last, ...more] = dates.split("/").map(parseNight);
  if (first === undefined || last === undefined || last < first || more.length > 0 || keys.length === 0) return undefined;
  const rows = keys.map((key) => readRow(key, kind)).filter((row) => row !== undefined);
  return rows.length === keys.length ? { first, last, rows } : undefined;
}

function readRow(key: string, kind: "plan" | "room"): SelectedRow | undefined {
  try {
    const [category = "", code, room, ...more] = key.split("/").map(decodeURIComponent);
    if (category === "" || code === undefined || more.length > 0) return undefined;
    return room === undefined ? { category, plan: "", room: "", [kind]: code } : { category, plan: code, room };
  } catch {
    return undefined;
  }
}

export function isSelected({ rows }: GridSelection, { kind, category, lane }: LaneKey): boolean {
  const [plan, room] = kind === "rate" ? [lane, ""] : ["", lane];
  return rows.some((row) => row.category === category && row.plan === plan && row.room === room);
}

export function isNightSelected({ first, last }: GridSelection, night: Night): boolean {
  return night >= first && night <= last;
}
