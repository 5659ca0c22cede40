import { type Group, findGroup, setterName } from "./attributes.ts";
import { ChangeList, compareDraft, type NightChange } from "./change.ts";
import { encodePage } from "./codec.ts";
import {
  clearOtherBasis,
  clearWhere,
  type PageDraft,
  openDraft,
  type LaneDrafts,
  type PageRange,
  setRange,
  type StoredPage,
  writeCell,
} from "./draft.ts";
import { type LaneKey, laneName } from "./lane.ts";
import type { Night } from "./night.ts";
import { type AssignOperation, type ClearOperation, EVERY_DAY, type Operation } from "./operation.ts";
import { NO_VALUE, spanOf, toCell } from "./page.ts";
import { type Runs, SPAN_DAYS, uniformRuns } from "./runs.ts";

export type ChangedPage = Omit<StoredPage, "bytes"> & { bytes: Uint8Array | undefined; undo: Uint8Array | undefined };

export type AppliedChanges = {
  pages: ChangedPage[];
  changedNights: number;
  lastNight: Night | undefined;
  changes: NightChange[];
};

const MAX_LISTED_CHANGES = 1_000;

/**
 * Applies the operations of `message` in order. `stored` must contain every page that they may change. Throws `TypeError` if a column can't
 * hold its value or doesn't belong to the operation's group.
 */
export function applyOperations(stored: Iterable<StoredPage>, operations: readonly Operation[], message: number): AppliedChanges {
  const lanes = new Lanes(stored);
  let lastNight: Night | undefined;
  for (const operation of operations) {
    if (operation.type === "clear") clear(lanes, operation);
    else if (operation.first <= operation.last) {
      assign(lanes.find(operation), operation, message);
      lastNight = Math.max(operation.last, lastNight ?? operation.last);
    }
  }
  return { ...collectChanges(lanes), lastNight };
}

function collectChanges(lanes: Lanes): Omit<AppliedChanges, "lastNight"> {
  const changes = new ChangeList(MAX_LISTED_CHANGES);
  const pages: ChangedPage[] = [];
  let changedNights = 0;
  for (const lane of lanes.all()) {
    changes.startLane();
    for (const draft of sortDrafts(lane)) {
      const { nights, undo } = compareDraft(lane, draft, changes);
      changedNights += nights;
      const bytes = draft.before.size === 0 ? draft.stored : encodePage(draft.page);
      if (hasSameBytes(bytes, draft.stored)) continue;
      pages.push({ kind: lane.kind, category: lane.category, lane: lane.lane, span: draft.page.span, bytes, undo });
    }
  }
  return { pages, changedNights, changes: changes.runs };
}

function sortDrafts({ drafts }: LaneDrafts): PageDraft[] {
  return [...drafts.values()].toSorted((a, b) => a.page.span - b.page.span);
}

/** Page drafts by lane. Remembers the last lane, because consecutive lines often have the same one. */
class Lanes {
  readonly #lanes = new Map<string, LaneDrafts>();
  /** Lanes by kind and `lane`, so that a rate plan can be cleared in every category. */
  readonly #byCode = new Map<string, LaneDrafts[]>();
  #last: LaneDrafts | undefined;

  constructor(stored: Iterable<StoredPage>) {
    for (const page of stored) this.find(page).stored.set(page.span, page.bytes);
  }

  find(key: LaneKey): LaneDrafts {
    const { kind, category, lane } = key;
    const last = this.#last;
    if (last && last.category === category && last.lane === lane && last.kind === kind) return last;
    const name = laneName(key);
    let found = this.#lanes.get(name);
    if (!found) this.#lanes.set(name, (found = this.#add({ kind, category, lane, stored: new Map(), drafts: new Map() })));
    this.#last = found;
    return found;
  }

  #add(drafts: LaneDrafts): LaneDrafts {
    const name = `${drafts.kind}\n${drafts.lane}`;
    this.#byCode.getOrInsertComputed(name, () => []).push(drafts);
    return drafts;
  }

  lanesToClear({ kind, category, lane }: ClearOperation): LaneDrafts[] {
    if (category !== undefined && lane !== undefined) return [this.find({ kind, category, lane })];
    const matchingLanes = lane === undefined ? this.all() : (this.#byCode.get(`${kind}\n${lane}`) ?? []);
    return matchingLanes.filter((drafts) => drafts.kind === kind && drafts.category === (category ?? drafts.category));
  }

  all(): LaneDrafts[] {
    return [...this.#lanes.values()];
  }
}

function assign(lane: LaneDrafts, operation: AssignOperation, message: number): void {
  const { first, last } = operation;
  for (let span = spanOf(first); span <= spanOf(last); span++) {
    assignToPage(openDraft(lane, span), operation, pageRange(span, operation), message);
  }
}

function pageRange(span: number, { first, last, days }: Pick<AssignOperation, "first" | "last" | "days">): PageRange {
  const start = span * SPAN_DAYS;
  return { from: Math.max(0, first - start), to: Math.min(SPAN_DAYS - 1, last - start), days };
}

// oxlint-disable-next-line max-params -- called for each line; avoids allocating an object
function assignToPage(draft: PageDraft, operation: AssignOperation, range: PageRange, message: number): void {
  const { group, values, replace } = operation;
  if (group === "amounts" && replace !== true) clearOtherBasis(draft, operation, range);
  if (replace === "older") clearOlder(draft, group, range);
  else if (replace) clearValues(draft, group, range);
  for (const column of values.keys()) {
    if (findGroup(column) !== group) throw new TypeError(`Column ${column} is not in group ${group}`);
    writeCell(draft, column, range, toCell(draft.page, column, values.get(column)));
  }
  writeCell(draft, setterName(group), range, message);
  if (reopensHotel(operation)) clearGroups(draft, ["closed"], range);
}

/** A closed hotel is reopened only by a number of available rooms for a whole category. */
function reopensHotel({ kind, group, lane, values }: AssignOperation): boolean {
  return kind === "inventory" && group === "counts" && lane === "" && values.get("available") !== undefined;
}

function clear(lanes: Lanes, operation: ClearOperation): void {
  const { from, to = Number.POSITIVE_INFINITY, groups } = operation;
  for (const lane of lanes.lanesToClear(operation)) {
    for (const span of listSpans(lane)) {
      if (span < spanOf(from) || span > spanOf(to)) continue;
      const range = pageRange(span, { first: from, last: to, days: EVERY_DAY });
      clearGroups(openDraft(lane, span), groups, range);
    }
  }
}

function listSpans({ stored, drafts }: LaneDrafts): number[] {
  const spans = [...drafts.keys()];
  for (const span of stored.keys()) if (!drafts.has(span)) spans.push(span);
  return spans;
}

function clearGroups(draft: PageDraft, groups: readonly Group[], range: PageRange): void {
  for (const group of groups) {
    if (!draft.page.columns.has(setterName(group))) continue;
    clearValues(draft, group, range);
    writeCell(draft, setterName(group), range, NO_VALUE);
  }
}

function clearOlder(draft: PageDraft, group: Group, range: PageRange): void {
  const { page } = draft;
  const replacedRuns = (draft.replaced ??= new Map<Group, Runs>()).getOrInsertComputed(group, () => uniformRuns(NO_VALUE));
  clearWhere(draft, range, {
    condition: replacedRuns,
    matches: (cell) => cell === NO_VALUE,
    clears: (column) => findGroup(column) === group,
  });
  setRange(replacedRuns, page, range, 1);
}

function clearValues(draft: PageDraft, group: Group, range: PageRange): void {
  for (const column of draft.page.columns.keys()) if (findGroup(column) === group) writeCell(draft, column, range, NO_VALUE);
}

function hasSameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}
