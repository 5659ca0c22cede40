import { type Group, type PageKind, setterName } from "../../calendar/attributes.ts";
import { decodePage } from "../../calendar/codec.ts";
import type { Night } from "../../calendar/night.ts";
import { UNCHANGED_CELL } from "../../calendar/page.ts";
import type { Runs } from "../../calendar/runs.ts";
import type { PageUndo } from "../undo-store.ts";

export type NightRange = { first: Night; last: Night };

/** A row as seen by consumers: the counts of a category or of one of its rooms, an allotment, or a plan's rates. */
export type ChangedRow = {
  kind: "inventory" | "rates";
  category: string;
  room?: string;
  plan?: string;
  nights: NightRange[];
};

/** Returns the rows that a message changed, in the order of its undo records. */
export function changedRows(undos: readonly PageUndo[]): ChangedRow[] {
  const rows = new Map<string, ChangedRow>();
  for (const undo of undos) addRows(rows, undo);
  for (const row of rows.values()) row.nights = mergeRanges(row.nights);
  return [...rows.values()];
}

function addRows(rows: Map<string, ChangedRow>, undo: PageUndo): void {
  const { columns, first } = decodePage(undo.span, undo.undo);
  for (const group of GROUPS_BY_KIND[undo.kind]) {
    const setters = columns.get(setterName(group));
    if (!setters) continue;
    for (const row of rowKeys(undo, group)) addRanges(rows, row, changedRanges(setters, first));
  }
}

const GROUPS_BY_KIND: Readonly<Record<PageKind, readonly Group[]>> = {
  inventory: ["counts", "closed"],
  rate: ["amounts", "restrictions", "allotment"],
};

type RowKey = Omit<ChangedRow, "nights">;

/** Returns the rows that a change affects. A change to a room may change its category's total. */
function rowKeys({ kind, category, lane }: PageUndo, group: Group): RowKey[] {
  if (kind === "rate") return [{ kind: group === "allotment" ? "inventory" : "rates", category, plan: lane }];
  const categoryRow: RowKey = { kind: "inventory", category };
  return lane === "" ? [categoryRow] : [{ ...categoryRow, room: lane }, categoryRow];
}

function addRanges(rows: Map<string, ChangedRow>, row: RowKey, ranges: readonly NightRange[]): void {
  const key = `${row.kind}\n${row.category}\n${row.room ?? ""}\n${row.plan ?? ""}`;
  const { nights } = rows.getOrInsertComputed(key, () => ({ ...row, nights: [] }));
  nights.push(...ranges);
}

function changedRanges({ ends, cells }: Runs, first: Night): NightRange[] {
  const ranges: NightRange[] = [];
  for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
    if (cells[run] !== UNCHANGED_CELL) ranges.push({ first: first + start, last: first + ends[run]! - 1 });
  }
  return ranges;
}

function mergeRanges(ranges: readonly NightRange[]): NightRange[] {
  const mergedRanges: NightRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const last = mergedRanges.at(-1);
    if (last && range.first <= last.last + 1) last.last = Math.max(last.last, range.last);
    else mergedRanges.push({ ...range });
  }
  return mergedRanges;
}
