import { ALL_GROUPS, type Attribute, type AttributeValue, groupOf, setterOf } from "./attributes.ts";
import type { ChangeList, NightChange } from "./change.ts";
import { encodeUndo } from "./codec.ts";
import type { Touched } from "./draft.ts";
import type { LaneKey } from "./lane.ts";
import { fromCell, KEPT, type Page, runsOf, UNUSED } from "./page.ts";
import { cellAt, copyCells, runEnd, type Runs, setBits, setCells, SPAN_DAYS, uniform } from "./runs.ts";
import { isMoney } from "./terms.ts";

/** Counts the nights of a draft whose values changed, and makes the undo record. Adds each changed run to `changes`. */
export function compare(lane: LaneKey, draft: Touched, changes: ChangeList): { nights: number; undo: Uint8Array | undefined } {
  const comparison: Comparison = { lane, draft, changes, undo: { ...draft.page, columns: new Map() }, groups: uniform(0) };
  for (const column of draft.before.keys()) {
    const group = groupOf(column);
    const before = draft.before.get(column) ?? UNUSED;
    if (group) compareColumn(comparison, { column, before, group: 1 << ALL_GROUPS.indexOf(group) });
  }
  if (comparison.undo.columns.size === 0) return { nights: 0, undo: undefined };
  return { nights: keepSetters(comparison), undo: encodeUndo(comparison.undo) };
}

/** `groups` holds for each night one bit for each changed group. */
type Comparison = { lane: LaneKey; draft: Touched; changes: ChangeList; undo: Page; groups: Runs };
type ColumnBefore = { column: Attribute; before: Runs; group: number };

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

type Run = { start: number; end: number; from: number; to: number };

/** Adds a run of amounts as one for each currency that they are in. */
function addChange(comparison: Comparison, column: Attribute, run: Run): void {
  if (!isMoney(column)) return comparison.changes.add(changeOf(comparison, column, run));
  const { page } = comparison.draft;
  const old = cellsBefore(comparison.draft, "currency");
  const now = page.columns.get("currency") ?? UNUSED;
  for (let { start } = run; start < run.end;) {
    const end = Math.min(run.end, runEnd(old, start), runEnd(now, start));
    const currencies = { from: currencyAt(page, old, start), to: currencyAt(page, now, start) };
    comparison.changes.add({ ...changeOf(comparison, column, { ...run, start, end }), currencies });
    start = end;
  }
}

function currencyAt(page: Page, runs: Runs, night: number): AttributeValue | undefined {
  return fromCell(page, "currency", cellAt(runs, night));
}

function changeOf({ lane, draft: { page } }: Comparison, column: Attribute, run: Run): NightChange {
  return {
    kind: lane.kind,
    category: lane.category,
    lane: lane.lane,
    column,
    first: page.first + run.start,
    last: page.first + run.end - 1,
    from: fromCell(page, column, run.from),
    to: fromCell(page, column, run.to),
  };
}

function cellsBefore({ page, before }: Touched, column: Attribute): Runs {
  return (before.has(column) ? before.get(column) : page.columns.get(column)) ?? UNUSED;
}

/** Adds the old setters of changed nights to the undo record; answers how many nights changed. */
function keepSetters({ draft, undo, groups }: Comparison): number {
  let nights = 0;
  for (let run = 0, start = 0; run < groups.ends.length; run++) {
    const end = groups.ends[run]!;
    const changed = groups.cells[run]!;
    if (changed !== 0) nights += end - start;
    for (let index = 0; changed >> index !== 0; index++) {
      if (changed & (1 << index)) keepSetter(draft, undo, { column: setterOf(ALL_GROUPS[index]!), start, end });
    }
    start = end;
  }
  return nights;
}

function keepSetter(draft: Touched, undo: Page, { column, start, end }: { column: Attribute; start: number; end: number }): void {
  copyCells(runsOf(undo, column, KEPT), cellsBefore(draft, column), start, end);
}
