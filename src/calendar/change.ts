import { ALL_GROUPS, type Attribute, type AttributeValue, findGroup, isMoney, setterName } from "./attributes.ts";
import { encodeUndo } from "./codec.ts";
import type { DraftState } from "./draft.ts";
import type { LaneKey } from "./lane.ts";
import type { Night } from "./night.ts";
import { fromCell, UNCHANGED_CELL, type Page, columnRuns, UNUSED_COLUMN } from "./page.ts";
import { cellAt, copyCells, runEnd, type Runs, setBits, setCells, SPAN_DAYS, uniformRuns } from "./runs.ts";

type BeforeAndAfter = { from: AttributeValue | undefined; to: AttributeValue | undefined };

/** A run of consecutive nights that a message changed in the same way. */
export type NightChange = BeforeAndAfter &
  LaneKey & {
    column: Attribute;
    first: Night;
    last: Night;
    currencies?: CurrencyChange;
  };

export type CurrencyChange = BeforeAndAfter;

export class ChangeList {
  readonly runs: NightChange[] = [];
  readonly #limit: number;
  readonly #open = new Map<Attribute, NightChange>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Call this before the first change to each lane, because a run never spans two lanes. */
  startLane(): void {
    this.#open.clear();
  }

  isFull(column: Attribute): boolean {
    return this.runs.length >= this.#limit && !this.#open.has(column);
  }

  add(run: NightChange): void {
    const openRun = this.#open.get(run.column);
    if (openRun && openRun.last + 1 === run.first && isSameChange(openRun, run) && isSameChange(openRun.currencies, run.currencies)) {
      openRun.last = run.last;
      return;
    }
    if (this.runs.length >= this.#limit) return void this.#open.delete(run.column);
    this.runs.push(run);
    this.#open.set(run.column, run);
  }
}

/** Adds the differences between a draft and the stored page to `changes`. Returns the number of changed nights and the undo record. */
export function compareDraft(lane: LaneKey, draft: DraftState, changes: ChangeList): { nights: number; undo: Uint8Array | undefined } {
  const comparison: DraftComparison = { lane, draft, changes, undo: { ...draft.page, columns: new Map() }, groups: uniformRuns(0) };
  for (const column of draft.before.keys()) {
    const group = findGroup(column);
    const before = draft.before.get(column) ?? UNUSED_COLUMN;
    if (group) compareColumn(comparison, { column, before, group: 1 << ALL_GROUPS.indexOf(group) });
  }
  if (comparison.undo.columns.size === 0) return { nights: 0, undo: undefined };
  return { nights: addSetters(comparison), undo: encodeUndo(comparison.undo) };
}

/** `groups` contains one number per night, with one bit for each changed group. */
type DraftComparison = { lane: LaneKey; draft: DraftState; changes: ChangeList; undo: Page; groups: Runs };
type ColumnBefore = { column: Attribute; before: Runs; group: number };

function compareColumn(comparison: DraftComparison, { column, before, group }: ColumnBefore): void {
  const now = comparison.draft.page.columns.get(column)!;
  for (let start = 0, old = 0, current = 0; start < SPAN_DAYS;) {
    const from = before.cells[old]!;
    const to = now.cells[current]!;
    const end = Math.min(before.ends[old]!, now.ends[current]!);
    if (from !== to) {
      setBits(comparison.groups, start, end, group);
      setCells(columnRuns(comparison.undo, column, UNCHANGED_CELL), start, end, from);
      if (!comparison.changes.isFull(column)) addChange(comparison, column, { start, end, from, to });
    }
    if (before.ends[old] === end) old++;
    if (now.ends[current] === end) current++;
    start = end;
  }
}

type Run = { start: number; end: number; from: number; to: number };

function addChange(comparison: DraftComparison, column: Attribute, run: Run): void {
  if (!isMoney(column)) return comparison.changes.add(toNightChange(comparison, column, run));
  const { page } = comparison.draft;
  const old = cellsBefore(comparison.draft, "currency");
  const now = page.columns.get("currency") ?? UNUSED_COLUMN;
  for (let { start } = run; start < run.end;) {
    const end = Math.min(run.end, runEnd(old, start), runEnd(now, start));
    const currencies = { from: currencyAt(page, old, start), to: currencyAt(page, now, start) };
    comparison.changes.add({ ...toNightChange(comparison, column, { ...run, start, end }), currencies });
    start = end;
  }
}

function currencyAt(page: Page, runs: Runs, night: number): AttributeValue | undefined {
  return fromCell(page, "currency", cellAt(runs, night));
}

function toNightChange({ lane, draft: { page } }: DraftComparison, column: Attribute, run: Run): NightChange {
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

function cellsBefore({ page, before }: DraftState, column: Attribute): Runs {
  return (before.has(column) ? before.get(column) : page.columns.get(column)) ?? UNUSED_COLUMN;
}

/** Adds the previous setters of changed nights to the undo record. Returns the number of changed nights. */
function addSetters({ draft, undo, groups }: DraftComparison): number {
  let nights = 0;
  for (let run = 0, start = 0; run < groups.ends.length; run++) {
    const end = groups.ends[run]!;
    const changedGroups = groups.cells[run]!;
    if (changedGroups !== 0) nights += end - start;
    for (let index = 0; changedGroups >> index !== 0; index++) {
      if (changedGroups & (1 << index)) addSetter(draft, undo, { column: setterName(ALL_GROUPS[index]!), start, end });
    }
    start = end;
  }
  return nights;
}

function addSetter(draft: DraftState, undo: Page, { column, start, end }: { column: Attribute; start: number; end: number }): void {
  copyCells(columnRuns(undo, column, UNCHANGED_CELL), cellsBefore(draft, column), start, end);
}

function isSameChange(a: BeforeAndAfter | undefined, b: BeforeAndAfter | undefined): boolean {
  return a?.from === b?.from && a?.to === b?.to;
}
