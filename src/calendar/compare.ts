import type { ChangeList } from "./change.ts";
import { encodeUndo } from "./codec.ts";
import { ALL_GROUPS, groupOf, setterColumn } from "./column.ts";
import type { Draft, LaneKey } from "./draft.ts";
import type { Column } from "./operation.ts";
import { type Cells, fromCell, KEPT, NOTHING, type Page, SPAN_DAYS } from "./page.ts";

/** How many nights of a draft have another value than before, and what leads back. Adds each run of them to `changes`. */
export function compare(lane: LaneKey, draft: Draft, changes: ChangeList): { nights: number; undo: Uint8Array | undefined } {
  const undo: Page = { ...draft.page, columns: new Map() };
  const marks: number[] = [];
  for (const [column, before] of draft.before) {
    const group = groupOf(column);
    if (group) compareColumn({ lane, draft, changes, undo, marks }, { column, before, mark: 1 << ALL_GROUPS.indexOf(group) });
  }
  if (undo.columns.size === 0) return { nights: 0, undo: undefined };
  for (const [index, group] of ALL_GROUPS.entries()) keepSetters(draft, undo, { column: setterColumn(group), marks, mark: 1 << index });
  return { nights: marks.filter(Boolean).length, undo: encodeUndo(undo) };
}

/** `marks` has a bit for each group in which a night changed. */
type Comparison = { lane: LaneKey; draft: Draft; changes: ChangeList; undo: Page; marks: number[] };
type ColumnBefore = { column: Column; before: Cells | undefined; mark: number };

function compareColumn(comparison: Comparison, { column, before, mark }: ColumnBefore): void {
  const now = comparison.draft.page.columns.get(column)!;
  for (let start = 0; start < SPAN_DAYS;) {
    const from = before ? before[start]! : NOTHING;
    const to = now[start]!;
    let end = start + 1;
    if (from !== to) {
      while (end < SPAN_DAYS && now[end] === to && (before ? before[end]! : NOTHING) === from) end++;
      addMark(comparison.marks, mark, { start, end });
      undoCells(comparison.undo, column).fill(from, start, end);
      addChange(comparison, column, { start, end, from, to });
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

function addMark(marks: number[], mark: number, { start, end }: { start: number; end: number }): void {
  while (marks.length < SPAN_DAYS) marks.push(0);
  for (let i = start; i < end; i++) marks[i]! |= mark;
}

type MarkedGroup = { column: Column; marks: readonly number[]; mark: number };

function keepSetters(draft: Draft, undo: Page, { column, marks, mark }: MarkedGroup): void {
  if (!marks.some((one) => one & mark)) return;
  const before = draft.before.has(column) ? draft.before.get(column) : draft.page.columns.get(column);
  const cells = undoCells(undo, column);
  for (let i = 0; i < SPAN_DAYS; i++) if (marks[i]! & mark) cells[i] = before ? before[i]! : NOTHING;
}

function undoCells(undo: Page, column: Column): Cells {
  const known = undo.columns.get(column);
  if (known) return known;
  const made = Array<number>(SPAN_DAYS).fill(KEPT);
  undo.columns.set(column, made);
  return made;
}
