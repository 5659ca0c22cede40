import { type Group, findGroup, setterName } from "./attributes.ts";
import { ChangeList, compare, type NightChange } from "./change.ts";
import { encodePage } from "./codec.ts";
import {
  clearOtherBasis,
  clearWhere,
  type Draft,
  openDraft,
  type LaneDrafts,
  type PageRange,
  setRange,
  type StoredPage,
  write,
} from "./draft.ts";
import { type LaneKey, laneName } from "./lane.ts";
import type { Night } from "./night.ts";
import { type Assign, type Clear, EVERY_DAY, type Operation } from "./operation.ts";
import { NOTHING, spanOf, toCell } from "./page.ts";
import { type Runs, SPAN_DAYS, uniformRuns } from "./runs.ts";

export type ChangedPage = Omit<StoredPage, "bytes"> & { bytes: Uint8Array | undefined; undo: Uint8Array | undefined };

export type Applied = {
  pages: ChangedPage[];
  changedNights: number;
  lastNight: Night | undefined;
  changes: NightChange[];
};

const CHANGES_LIMIT = 1_000;

/**
 * Applies the operations of `message` in order. `stored` must contain every page that they may change.
 * Throws `TypeError` if a column cannot hold its value or is not in the operation's group.
 */
export function applyOperations(stored: Iterable<StoredPage>, operations: readonly Operation[], message: number): Applied {
  const lanes = new Lanes(stored);
  let lastNight: Night | undefined;
  for (const operation of operations) {
    if (operation.type === "clear") clear(lanes, operation);
    else if (operation.first <= operation.last) {
      assign(lanes.find(operation), operation, message);
      lastNight = Math.max(operation.last, lastNight ?? operation.last);
    }
  }
  return { ...changesIn(lanes), lastNight };
}

function changesIn(lanes: Lanes): Omit<Applied, "lastNight"> {
  const changes = new ChangeList(CHANGES_LIMIT);
  const pages: ChangedPage[] = [];
  let changedNights = 0;
  for (const lane of lanes.all()) {
    changes.startLane();
    for (const draft of inOrder(lane)) {
      const { nights, undo } = compare(lane, draft, changes);
      changedNights += nights;
      const bytes = draft.before.size === 0 ? draft.stored : encodePage(draft.page);
      if (sameBytes(bytes, draft.stored)) continue;
      pages.push({ kind: lane.kind, category: lane.category, lane: lane.lane, span: draft.page.span, bytes, undo });
    }
  }
  return { pages, changedNights, changes: changes.runs };
}

function inOrder({ drafts }: LaneDrafts): Draft[] {
  return [...drafts.values()].toSorted((a, b) => a.page.span - b.page.span);
}

/** Drafts by lane. Remembers the last lane, because consecutive lines often have the same lane. */
class Lanes {
  readonly #lanes = new Map<string, LaneDrafts>();
  /** Lanes by kind and `lane`, for clearing a rate plan in every category. */
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

  lanesToClear({ kind, category, lane }: Clear): LaneDrafts[] {
    if (category !== undefined && lane !== undefined) return [this.find({ kind, category, lane })];
    const matchingLanes = lane === undefined ? this.all() : (this.#byCode.get(`${kind}\n${lane}`) ?? []);
    return matchingLanes.filter((drafts) => drafts.kind === kind && drafts.category === (category ?? drafts.category));
  }

  all(): LaneDrafts[] {
    return [...this.#lanes.values()];
  }
}

function assign(lane: LaneDrafts, operation: Assign, message: number): void {
  const { first, last } = operation;
  for (let span = spanOf(first); span <= spanOf(last); span++) {
    assignIn(openDraft(lane, span), operation, rangeIn(span, operation), message);
  }
}

function rangeIn(span: number, { first, last, days }: Pick<Assign, "first" | "last" | "days">): PageRange {
  const start = span * SPAN_DAYS;
  return { from: Math.max(0, first - start), to: Math.min(SPAN_DAYS - 1, last - start), days };
}

// oxlint-disable-next-line max-params -- called for each line; avoids allocating an object
function assignIn(draft: Draft, operation: Assign, range: PageRange, message: number): void {
  const { group, values, replace } = operation;
  if (group === "amounts" && replace !== true) clearOtherBasis(draft, operation, range);
  if (replace === "older") clearOlder(draft, group, range);
  else if (replace) clearValues(draft, group, range);
  for (const column of values.keys()) {
    if (findGroup(column) !== group) throw new TypeError(`Column ${column} is not in group ${group}`);
    write(draft, column, range, toCell(draft.page, column, values.get(column)));
  }
  write(draft, setterName(group), range, message);
  if (reopensHotel(operation)) clearGroups(draft, ["closed"], range);
}

/** A closed hotel is reopened only by a category's number of available rooms. */
function reopensHotel({ kind, group, lane, values }: Assign): boolean {
  return kind === "inventory" && group === "counts" && lane === "" && values.get("available") !== undefined;
}

function clear(lanes: Lanes, operation: Clear): void {
  const { from, to = Number.POSITIVE_INFINITY, groups } = operation;
  for (const lane of lanes.lanesToClear(operation)) {
    for (const span of spansIn(lane)) {
      if (span < spanOf(from) || span > spanOf(to)) continue;
      const range = rangeIn(span, { first: from, last: to, days: EVERY_DAY });
      clearGroups(openDraft(lane, span), groups, range);
    }
  }
}

function spansIn({ stored, drafts }: LaneDrafts): number[] {
  const spans = [...drafts.keys()];
  for (const span of stored.keys()) if (!drafts.has(span)) spans.push(span);
  return spans;
}

function clearGroups(draft: Draft, groups: readonly Group[], range: PageRange): void {
  for (const group of groups) {
    if (!draft.page.columns.has(setterName(group))) continue;
    clearValues(draft, group, range);
    write(draft, setterName(group), range, NOTHING);
  }
}

function clearOlder(draft: Draft, group: Group, range: PageRange): void {
  const { page } = draft;
  const replacedRuns = (draft.replaced ??= new Map<Group, Runs>()).getOrInsertComputed(group, () => uniformRuns(NOTHING));
  clearWhere(draft, range, {
    condition: replacedRuns,
    matches: (cell) => cell === NOTHING,
    clears: (column) => findGroup(column) === group,
  });
  setRange(replacedRuns, page, range, 1);
}

function clearValues(draft: Draft, group: Group, range: PageRange): void {
  for (const column of draft.page.columns.keys()) if (findGroup(column) === group) write(draft, column, range, NOTHING);
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);
}
