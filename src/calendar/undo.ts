import { type Attribute, type AttributeValue, isText } from "./attributes.ts";
import { type ChangeList, compareDraft } from "./change.ts";
import { decodePage } from "./codec.ts";
import type { LaneKey } from "./lane.ts";
import type { Night } from "./night.ts";
import { fromCell, UNCHANGED_CELL, type Page, columnRuns, toCell } from "./page.ts";
import { cellAt, copyRuns, type Runs, setCells } from "./runs.ts";

/**
 * Restores the values from before a message, and which message set each of them. Undo the newest message first. A message that only repeated
 * a value still counts as having set it.
 */
export function revertPage(page: Page, undo: Uint8Array): void {
  revertCells(page, decodePage(page.span, undo));
}

export function revertAndCollect(page: Page, undo: Uint8Array, { lane, changes }: { lane: LaneKey; changes: ChangeList }): void {
  const old = decodePage(page.span, undo);
  const after = { ...page, columns: new Map<Attribute, Runs>() };
  for (const column of old.columns.keys()) after.columns.set(column, copyRuns(columnRuns(page, column)));
  const currency = page.columns.get("currency");
  if (currency) after.columns.set("currency", copyRuns(currency));
  revertCells(page, old);
  const before = new Map([...old.columns.keys()].map((column) => [column, page.columns.get(column)]));
  compareDraft(lane, { page: after, stored: undefined, before }, changes);
}

/** Returns a night's values and setters from before the message, only for the columns that the message changed. */
export function valuesBefore(span: number, undo: Uint8Array, night: Night): Map<Attribute, AttributeValue | undefined> {
  const old = decodePage(span, undo);
  const index = night - old.first;
  const cells = [...old.columns].map(([column, runs]) => [column, cellAt(runs, index)] as const);
  const changedCells = cells.filter(([, cell]) => cell !== UNCHANGED_CELL);
  return new Map(changedCells.map(([column, cell]) => [column, fromCell(old, column, cell)]));
}

function revertCells(page: Page, old: Page): void {
  for (const [column, { ends, cells }] of old.columns) {
    const target = columnRuns(page, column);
    const isTextColumn = isText(column);
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      const cell = cells[run]!;
      if (cell !== UNCHANGED_CELL)
        setCells(target, start, ends[run]!, isTextColumn ? toCell(page, column, fromCell(old, column, cell)) : cell);
    }
  }
}
