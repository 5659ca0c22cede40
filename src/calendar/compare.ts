import type { ChangeList } from "./change.ts";
import { encodeUndo } from "./codec.ts";
import { ALL_GROUPS, groupOf, setterColumn } from "./column.ts";
import type { Draft, LaneKey } from "./draft.ts";
import type { Column } from "./operation.ts";
import { type Cells, fromCell, KEPT, NOTHING, type Page, SPAN_DAYS } from "./page.ts";

/** How many nights of a draft have another value than before, and what leads back. Adds each run of them to `changes`. */
export function compare(lane: LaneKey, draft: Draft, changes: ChangeList): { nights: number; undo: Uint8Array | undefined } {
  const comparison: Comparison = { lane, draft, changes, undo: { ...draft.page, columns: new Map() }, groups: 0, nights: 0 };
  marks.fill(0);
  for (const [column, before] of draft.before) {
    const group = groupOf(column);
    if (group) compareColumn(comparison, { column, before, mark: 1 << ALL_GROUPS.indexOf(group) });
  }
  const { undo, groups, nights } = comparison;
  if (nights === 0) return { nights, undo: undefined };
  for (const [index, group] of ALL_GROUPS.entries())
    if (groups & (1 << index)) keepSetters(draft, undo, { column: setterColumn(group), mark: 1 << index });
  return { nights, undo: encodeUndo(undo) };
}

/** For each night a bit for each group in which it changed. Used over and over. */
const marks = new Uint8Array(SPAN_DAYS);

/** `groups` has the bits of all nights. */
type Comparison = { lane: LaneKey; draft: Draft; changes: ChangeList; undo: Page; groups: number; nights: number };
type ColumnBefore = { column: Column; before: Cells | undefined; mark: number };

function compareColumn(comparison: Comparison, { column, before, mark }: ColumnBefore): void {
  const now = comparison.draft.page.columns.get(column)!;
  for (let start = 0; start < SPAN_DAYS;) {
    const from = before ? before[start]! : NOTHING;
    const to = now[start]!;
    let end = start + 1;
    if (from !== to) {
      while (end < SPAN_DAYS && now[end] === to && (before ? before[end]! : NOTHING) === from) end++;
      addMarks(comparison, mark, start, end);
      undoCells(comparison.undo, column).fill(from, start, end);
      if (!comparison.changes.isPast(column)) addChange(comparison, column, { start, end, from, to });
    }
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

// oxlint-disable-next-line max-params -- called for each run, so that it makes no object
function addMarks(comparison: Comparison, mark: number, start: number, end: number): void {
  comparison.groups |= mark;
  for (let i = start; i < end; i++) {
    if (marks[i] === 0) comparison.nights++;
    marks[i]! |= mark;
  }
}

type Marked = { column: Column; mark: number };

function keepSetters(draft: Draft, undo: Page, { column, mark }: Marked): void {
  const before = draft.before.has(column) ? draft.before.get(column) : draft.page.columns.get(column);
  const cells = undoCells(undo, column);
  for (let i = 0; i < SPAN_DAYS; i++) if (marks[i]! & mark) cells[i] = before ? before[i]! : NOTHING;
}

const kept = Array.from({ length: SPAN_DAYS }, () => KEPT);

function undoCells(undo: Page, column: Column): Cells {
  const known = undo.columns.get(column);
  if (known) return known;
  const made = kept.slice();
  undo.columns.set(column, made);
  return made;
}
