import { setImmediate as nextTurn } from "node:timers/promises";
import { caughtWord, type ErrorSummary } from "../../../errors/entry.ts";
import type { ErrorLog } from "../../../errors/recorder.ts";
import type { ErrorGroup, GroupPage } from "../../../errors/storage/group.ts";
import type { ErrorFilter, ErrorPage, ErrorSlice } from "../../../errors/storage/list-store.ts";
import type { CsvColumn } from "../../../web/csv.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import type { Gaps } from "./cut-note.ts";
import type { LeftOut } from "./drops-note.ts";
import type { GroupView } from "./group-panel.ts";
import { type ErrorQuery, positionText } from "./query.ts";
import { stateText } from "./state-note.ts";

/** `next` is what to ask for `before`, null at the end. */
export function listJson({ entries, next, searchedTo }: ErrorPage, gaps: Gaps) {
  return {
    errors: entries.map(entryJson),
    next: next ? positionText(next) : null,
    ...(searchedTo !== undefined && { searchedTo: new Date(searchedTo).toISOString() }),
    ...gapsJson(gaps),
  };
}

/** `cut` counts entries that lack their context, and entries that were removed early. */
function gapsJson({ leftOut, cuts }: Gaps) {
  return { leftOut: leftOut.map(leftOutJson), cut: cuts.map((drop) => leftOutJson({ rule: drop.rule, drop })) };
}

function leftOutJson({ rule, drop }: LeftOut) {
  const times = drop ? { firstAt: new Date(drop.firstAt).toISOString(), lastAt: new Date(drop.lastAt).toISOString() } : {};
  return { rule, count: drop?.count ?? 0, firstAt: null, lastAt: null, ...times };
}

/** `date` and `caught` as the list shows them, `at` in UTC. */
export function entryJson({ id, at, class: name, message, source, caught, status, group }: ErrorSummary) {
  return {
    id,
    date: localMoment(at),
    at: new Date(at).toISOString(),
    class: name,
    message,
    source,
    caught: caughtWord(caught),
    status: status ?? null,
    group: group ?? null,
  };
}

export const ENTRY_COLUMNS: readonly CsvColumn<ErrorSummary>[] = [
  { head: "Date", cell: (entry) => localMoment(entry.at) },
  { head: "Class", cell: (entry) => entry.class },
  { head: "Message", cell: (entry) => entry.message },
  { head: "Source", cell: (entry) => entry.source },
  { head: "Caught", cell: (entry) => caughtWord(entry.caught) },
  { head: "Status", cell: (entry) => entry.status },
  { head: "Id", cell: (entry) => entry.id },
];

type Shown = { hours: ReadonlyMap<number, readonly number[]>; ungrouped: boolean; gaps: Gaps };

/** `next` is what to ask for `after`, null at the end; `hours` are the last 24, the oldest first. */
export function groupsJson({ groups, next }: GroupPage, { hours, ungrouped, gaps }: Shown) {
  return {
    groups: groups.map((group) => ({ ...factsOf(group), hours: hours.get(group.id) ?? [] })),
    next: next ? positionText(next) : null,
    ungrouped,
    ...gapsJson(gaps),
  };
}

/** The group of an entry with its 28 days and who changed its state. */
export function groupJson({ group, days, changes }: GroupView) {
  const made = changes.map(({ at, actor, changes: [change] }) => ({ at: new Date(at).toISOString(), actor, state: change?.to ?? "" }));
  return { ...factsOf(group), days, changes: made };
}

function factsOf({ lastId, algorithm, pattern, place, why, since, mutedUntil, muteAbove, firstAt, lastAt, ...group }: ErrorGroup) {
  return {
    ...group,
    status: group.status ?? null,
    caught: caughtWord(group.caught),
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    lastId: lastId ?? null,
    why,
    since: new Date(since).toISOString(),
    mutedUntil: mutedUntil === undefined ? null : new Date(mutedUntil).toISOString(),
    muteAbove: muteAbove ?? null,
    groupedBy: { algorithm, source: group.source, class: group.class, pattern, place },
  };
}

export const GROUP_COLUMNS: readonly CsvColumn<ErrorGroup>[] = [
  { head: "Times", cell: (group) => group.count },
  { head: "Last", cell: (group) => localMoment(group.lastAt) },
  { head: "First", cell: (group) => localMoment(group.firstAt) },
  { head: "Class", cell: (group) => group.class },
  { head: "Message", cell: (group) => group.message },
  { head: "Source", cell: (group) => group.source },
  { head: "State", cell: stateText },
  { head: "Group", cell: (group) => group.id },
  { head: "Id", cell: (group) => group.lastId },
];

const AT_ONCE = 250;

/** The entries that a filter leaves, `limit` of them at most, some at a time: a search goes on where that of a page stops. */
export async function* entryBatches(errors: ErrorLog, filter: ErrorFilter, { before, limit }: ErrorSlice): AsyncGenerator<ErrorSummary[]> {
  let [after, left] = [before, limit];
  do {
    const { entries, next } = await errors.list(filter, { before: after, limit: Math.min(left, AT_ONCE) });
    yield entries;
    left -= entries.length;
    after = next;
  } while (after !== undefined && left > 0);
}

/** A page of entries that may be as long as an export, read some at a time; a search stops where it stops for a page. */
export async function readLongPage(errors: ErrorLog, filter: ErrorFilter, { before, limit }: ErrorSlice): Promise<ErrorPage> {
  const entries: ErrorSummary[] = [];
  for (let after = before; ;) {
    const page = await errors.list(filter, { before: after, limit: Math.min(limit - entries.length, AT_ONCE) });
    entries.push(...page.entries);
    if (!page.next || page.searchedTo !== undefined || entries.length >= limit) return { ...page, entries };
    after = page.next;
    await nextTurn();
  }
}

/** All groups that a filter leaves from a position on, some at a time. */
export async function* groupBatches(
  errors: ErrorLog,
  { filter, order, after: start }: Pick<ErrorQuery, "filter" | "order" | "after">,
): AsyncGenerator<ErrorGroup[]> {
  let after = start;
  do {
    const { groups, next } = await errors.listGroups(filter, { order, after, limit: AT_ONCE });
    yield groups;
    after = next;
  } while (after);
}
