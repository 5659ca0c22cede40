import { type Attribute, type Group, isAmount, isMoney } from "./attributes.ts";
import { decodePage } from "./codec.ts";
import type { LaneKey } from "./lane.ts";
import { weekFrom } from "./night.ts";
import { type AssignOperation, type DayMask, EVERY_DAY } from "./operation.ts";
import { emptyPage, NO_VALUE, type Page, columnRuns, toCell, UNUSED_COLUMN } from "./page.ts";
import { copyRuns, type Runs, setCells, setCellsWeekly } from "./runs.ts";

export type StoredPage = LaneKey & { span: number; bytes: Uint8Array };

export type DraftState = { page: Page; stored: Uint8Array | undefined; before: Map<Attribute, Runs | undefined> };

/** A page to which a message is being applied. `replaced` is 1 for nights whose earlier values in the group were cleared. */
export type PageDraft = DraftState & { replaced: Map<Group, Runs> | undefined };

export type LaneDrafts = LaneKey & { stored: Map<number, Uint8Array>; drafts: Map<number, PageDraft> };

export type PageRange = { from: number; to: number; days: DayMask };

export function openDraft(lane: LaneDrafts, span: number): PageDraft {
  const existingDraft = lane.drafts.get(span);
  if (existingDraft) return existingDraft;
  const storedPage = lane.stored.get(span);
  const page = storedPage ? decodePage(span, storedPage) : emptyPage(span);
  const draft = { page, stored: storedPage, before: new Map(), replaced: undefined };
  lane.drafts.set(span, draft);
  return draft;
}

// oxlint-disable-next-line max-params -- called for each column of each line; avoids allocating an object
export function writeCell(draft: PageDraft, column: Attribute, range: PageRange, cell: number): void {
  if (cell === NO_VALUE && !draft.page.columns.has(column)) return;
  setRange(writableRuns(draft, column), draft.page, range, cell);
}

// oxlint-disable-next-line max-params -- called for each column of each line; avoids allocating an object
export function setRange(runs: Runs, { first }: Page, { from, to, days }: PageRange, cell: number): void {
  if (days === EVERY_DAY) setCells(runs, from, to + 1, cell);
  else setCellsWeekly(runs, from, to + 1, cell, weekFrom(first, days));
}

/** All amounts for a night share one currency and basis (per person or per room). Changing either clears the other amounts. */
export function clearOtherBasis(draft: PageDraft, { values }: AssignOperation, range: PageRange): void {
  for (const [column, value] of values) {
    if (value === undefined || (column !== "currency" && column !== "perPerson")) continue;
    const cell = toCell(draft.page, column, value);
    const condition = draft.page.columns.get(column) ?? UNUSED_COLUMN;
    if (column === "currency")
      clearWhere(draft, range, { condition, matches: (stored) => stored !== NO_VALUE && stored !== cell, clears: isMoney });
    else
      clearWhere(draft, range, {
        condition,
        matches: (stored) => (stored === NO_VALUE ? PER_ROOM_CELL : stored) !== cell,
        clears: isAmount,
      });
  }
}

/** Value for amounts per room. Amounts without a basis are also per room. */
const PER_ROOM_CELL = 0;

type CellSelection = { condition: Runs; matches(cell: number): boolean; clears(column: Attribute): boolean };

export function clearWhere(draft: PageDraft, { from, to, days }: PageRange, { condition, matches, clears }: CellSelection): void {
  for (let run = 0, start = 0; start <= to; start = condition.ends[run++]!) {
    const part = { from: Math.max(from, start), to: Math.min(to, condition.ends[run]! - 1), days };
    if (part.from > part.to || !matches(condition.cells[run]!)) continue;
    for (const column of draft.page.columns.keys()) if (clears(column)) writeCell(draft, column, part, NO_VALUE);
  }
}

function writableRuns(draft: PageDraft, column: Attribute): Runs {
  if (!draft.before.has(column)) {
    const runs = draft.page.columns.get(column);
    draft.before.set(column, runs && copyRuns(runs));
  }
  return columnRuns(draft.page, column);
}
