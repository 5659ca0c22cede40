import type { ChangeList } from "./change.ts";
import { encodeUndo } from "./codec.ts";
import { ALL_GROUPS, groupOf, setterColumn } from "./column.ts";
import type { Touched } from "./draft.ts";
import type { LaneKey } from "./lane.ts";
import type { Column } from "./operation.ts";
import { fromCell, KEPT, type Page, runsOf, UNUSED } from "./page.ts";
import { copyCells, type Runs, setBits, setCells, SPAN_DAYS, uniform } from "./runs.ts";

/** Counts the nights of a draft whose values changed, and makes the undo record. Adds each changed run to `changes`. */
export function compare(lane: LaneKey, draft: Touched, changes: ChangeList): { nights: number; undo: Uint8Array | undefined } {
  const comparison: Comparison = { lane, draft, changes, undo: { ...draft.page, columns: new Map() }, groups: uniform(0) };
  for (const [column, before] of draft.before) {
    const group = groupOf(column);
    if (group) compareColumn(comparison, { column, before: before ?? UNUSED, group: 1 << ALL_GROUPS.indexOf(group) });
  }
  if (comparison.undo.columns.size === 0) return { nights: 0, undo: undefined };
  return { nights: keepSetters(comparison), undo: encodeUndo(comparison.undo) };
}

/** `groups` holds for each night one bit for each changed group. */
type Comparison = { lane: LaneKey; draft: Touched; changes: ChangeList; undo: Page; groups: Runs };
type ColumnBefore = { column: Column; before: Runs; group: number };

function compareColumn(comparison: Comparison, { column, before, group }: ColumnBefore): void {
  const now = comparison.draft.page.columns.get(column)!;
  for (let start = 0, old = 0, young = 0; start < SPAN_DAYS;) {
    const from = before.cells[old]!;
    const to = now.cells[young]!;
    const end = Math.min(before.ends[old]!, now.ends[young]!);
    if (from !== to) {
      setBits(comparison.groups, start, end, group);
      setCells(runsOf(comparison.undo, column, KEPT), start, end, from);
      if (!comparison.changes.isPast(column)) addChange(comparison, column, { start, end, from, to });
    }
    if (before.ends[old] === end) old++;
    if (now.ends[young] === end) young++;
    start = end;
  }
}

function addChange(
  { lane, draft, changes }: Comparison,
  column: Column,
  run: { start: number; end: number; from: number; to: number },
): void {
  const { page } = draft;
  changes.add({
    kind: lane.kind,
    category: lane.category,
    lane: lane.lane,
    column,
    first: page.first + run.start,
    last: page.first + run.end - 1,
    from: fromCell(page, column, run.from),
    to: fromCell(page, column, run.to),
  });
}

/** Adds the old setters of changed nights to the undo record; answers how many nights changed. */
function keepSetters({ draft, undo, groups }: Comparison): number {
  let nights = 0;
  for (let run = 0, start = 0; run < groups.ends.length; run++) {
    const end = groups.ends[run]!;
    const changed = groups.cells[run]!;
    if (changed !== 0) nights += end - start;
    for (const [index, group] of ALL_GROUPS.entries()) {
      if (changed & (1 << index)) keepSetter(draft, undo, { column: setterColumn(group), start, end });
    }
    start = end;
  }
  return nights;
}

function keepSetter({ page, before }: Touched, undo: Page, { column, start, end }: { column: Column; start: number; end: number }): void {
  const old = before.has(column) ? before.get(column) : page.columns.get(column);
  copyCells(runsOf(undo, column, KEPT), old ?? UNUSED, start, end);
}
