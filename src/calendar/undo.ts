import type { ChangeList } from "./change.ts";
import { decodePage } from "./codec.ts";
import { isText } from "./column.ts";
import { compare } from "./compare.ts";
import type { LaneKey } from "./draft.ts";
import type { Night } from "./night.ts";
import type { Column, ColumnValue } from "./operation.ts";
import { type Cells, cellsOf, fromCell, KEPT, type Page, SPAN_DAYS, toCell } from "./page.ts";

/**
 * Takes a message back: gives the nights that it changed the values and setters they had. Undo records go newest first.
 * A setter is exact where a value changed; a message that repeated the value a night had stays its setter.
 */
export function revert(page: Page, undo: Uint8Array): void {
  revertCells(page, decodePage(page.span, undo));
}

/** Takes a message back as `revert` does, and adds what it had changed to `changes`. */
export function revertNoting(page: Page, undo: Uint8Array, { lane, changes }: { lane: LaneKey; changes: ChangeList }): void {
  const old = decodePage(page.span, undo);
  const after = { ...page, columns: new Map<Column, Cells>() };
  for (const column of old.columns.keys()) after.columns.set(column, cellsOf(page, column).slice());
  revertCells(page, old);
  const before = new Map([...old.columns.keys()].map((column) => [column, page.columns.get(column)]));
  compare(lane, { page: after, stored: undefined, before }, changes);
}

/** What a message changed in one night, as the values before it; setters among them. */
export function valuesBefore(span: number, undo: Uint8Array, night: Night): Map<Column, ColumnValue | undefined> {
  const old = decodePage(span, undo);
  const index = night - old.first;
  const changed = [...old.columns].filter(([, cells]) => cells[index] !== KEPT);
  return new Map(changed.map(([column, cells]) => [column, fromCell(old, column, cells[index]!)]));
}

function revertCells(page: Page, old: Page): void {
  for (const [column, cells] of old.columns) {
    const target = cellsOf(page, column);
    const text = isText(column);
    for (let i = 0; i < SPAN_DAYS; i++) {
      const cell = cells[i]!;
      if (cell !== KEPT) target[i] = text ? toCell(page, column, fromCell(old, column, cell)) : cell;
    }
  }
}
