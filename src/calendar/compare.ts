import type { ChangeList } from "./change.ts";
import { encodeUndo } from "./codec.ts";
import { groupOf, setterColumn } from "./column.ts";
import type { Draft, LaneKey } from "./draft.ts";
import type { Column, Group } from "./operation.ts";
import { type Cells, fromCell, KEPT, NOTHING, type Page, SPAN_DAYS } from "./page.ts";

/** How many nights of a draft have another value than before, and what leads back. Adds each run of them to `changes`. */
export function compare(lane: LaneKey, draft: Draft, changes: ChangeList): { nights: number; undo: Uint8Array | undefined } {
  const undo: Page = { ...draft.page, columns: new Map() };
  const touched = new Touched();
  for (const [column, before] of draft.before) {
    const group = groupOf(column);
    if (group) compareColumn({ lane, draft, changes, undo }, { column, before, mark: touched.of(group) });
  }
  for (const [group, nights] of touched.groups) keepSetters(draft, undo, { column: setterColumn(group), nights });
  return { nights: touched.count(), undo: undo.columns.size > 0 ? encodeUndo(undo) : undefined };
}

/** Which nights of a page changed, for each group. */
class Touched {
  readonly groups = new Map<Group, Uint8Array>();

  of(group: Group): Uint8Array {
    let nights = this.groups.get(group);
    if (!nights) this.groups.set(group, (nights = new Uint8Array(SPAN_DAYS)));
    return nights;
  }

  count(): number {
    const all = [...this.groups.values()];
    let nights = 0;
    for (let i = 0; i < SPAN_DAYS; i++) if (all.some((marks) => marks[i] === 1)) nights++;
    return nights;
  }
}

type Comparison = { lane: LaneKey; draft: Draft; changes: ChangeList; undo: Page };
type ColumnBefore = { column: Column; before: Cells | undefined; mark: Uint8Array };

function compareColumn(comparison: Comparison, { column, before, mark }: ColumnBefore): void {
  const now = comparison.draft.page.columns.get(column)!;
  for (let start = 0; start < SPAN_DAYS;) {
    const from = before ? before[start]! : NOTHING;
    const to = now[start]!;
    let end = start + 1;
    if (from !== to) {
      while (end < SPAN_DAYS && now[end] === to && (before ? before[end]! : NOTHING) === from) end++;
      mark.fill(1, start, end);
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

function keepSetters(draft: Draft, undo: Page, { column, nights }: { column: Column; nights: Uint8Array }): void {
  const before = draft.before.has(column) ? draft.before.get(column) : draft.page.columns.get(column);
  for (let i = 0; i < SPAN_DAYS; i++) if (nights[i]) undoCells(undo, column)[i] = before ? before[i]! : NOTHING;
}

function undoCells(undo: Page, column: Column): Cells {
  const known = undo.columns.get(column);
  if (known) return known;
  const made = new Float64Array(SPAN_DAYS).fill(KEPT);
  undo.columns.set(column, made);
  return made;
}
