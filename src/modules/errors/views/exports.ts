import { setImmediate as nextTurn } from "node:timers/promises";
import { caughtLabel, type ErrorGroup, type ErrorSummary, type GroupPage } from "../../../errors/entry.ts";
import type { ErrorLog } from "../../../errors/recorder.ts";
import type { ErrorFilter, ErrorPage, ErrorSlice } from "../../../errors/storage/list-store.ts";
import type { CsvColumn } from "../../../web/csv.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import type { LogGaps, SkippedRule } from "./gaps.ts";
import { type GroupView, stateText } from "./group-panel.ts";
import { type ErrorQuery, positionText } from "./query.ts";

export function listJson({ entries, next, searchedTo }: ErrorPage, gaps: LogGaps) {
  return {
    errors: entries.map(entryJson),
    next: next ? positionText(next) : null,
    ...(searchedTo !== undefined && { searchedTo: new Date(searchedTo).toISOString() }),
    ...gapsJson(gaps),
  };
}

function gapsJson({ skipped, trimmed }: LogGaps) {
  return { leftOut: skipped.map(ruleJson), cut: trimmed.map((count) => ruleJson({ rule: count.rule, count })) };
}

function ruleJson({ rule, count }: SkippedRule) {
  const times = count ? { firstAt: new Date(count.firstAt).toISOString(), lastAt: new Date(count.lastAt).toISOString() } : {};
  return { rule, count: count?.count ?? 0, firstAt: null, lastAt: null, ...times };
}

export function entryJson({ id, at, class: name, message, source, caught, status, group }: ErrorSummary) {
  return {
    id,
    date: localMoment(at),
    at: new Date(at).toISOString(),
    class: name,
    message,
    source,
    caught: caughtLabel(caught),
    status: status ?? null,
    group: group ?? null,
  };
}

export const ENTRY_COLUMNS: readonly CsvColumn<ErrorSummary>[] = [
  { head: "Date", cell: (entry) => localMoment(entry.at) },
  { head: "Class", cell: (entry) => entry.class },
  { head: "Message", cell: (entry) => entry.message },
  { head: "Source", cell: (entry) => entry.source },
  { head: "Caught", cell: (entry) => caughtLabel(entry.caught) },
  { head: "Status", cell: (entry) => entry.status },
  { head: "Id", cell: (entry) => entry.id },
];

type GroupFacts = { hours: ReadonlyMap<number, readonly number[]>; ungrouped: boolean; gaps: LogGaps };

export function groupsJson({ groups, next }: GroupPage, { hours, ungrouped, gaps }: GroupFacts) {
  return {
    groups: groups.map((group) => ({ ...groupFacts(group), hours: hours.get(group.id) ?? [] })),
    next: next ? positionText(next) : null,
    ungrouped,
    ...gapsJson(gaps),
  };
}

export function groupJson({ group, days, changes }: GroupView) {
  const history = changes.map(({ at, actor, changes: [change] }) => ({ at: new Date(at).toISOString(), actor, state: change?.to ?? "" }));
  return { ...groupFacts(group), days, changes: history };
}

function groupFacts({ lastId, algorithm, pattern, place, reason, stateAt, mutedUntil, muteAbove, firstAt, lastAt, ...group }: ErrorGroup) {
  return {
    ...group,
    status: group.status ?? null,
    caught: caughtLabel(group.caught),
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    lastId: lastId ?? null,
    why: reason,
    since: new Date(stateAt).toISOString(),
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

const ENTRIES_PER_BATCH = 250;

/** Yields up to `limit` entries in batches. Unlike on a page, a search continues to the end of the log. */
export async function* entryBatches(errors: ErrorLog, filter: ErrorFilter, { before, limit }: ErrorSlice): AsyncGenerator<ErrorSummary[]> {
  let [after, left] = [before, limit];
  do {
    const { entries, next } = await errors.list(filter, { before: after, limit: Math.min(left, ENTRIES_PER_BATCH) });
    yield entries;
    left -= entries.length;
    after = next;
  } while (after !== undefined && left > 0);
}

/** Reads one long page in batches, so that other requests can be served in between. As on other pages, a search stops at its limit. */
export async function readLongPage(errors: ErrorLog, filter: ErrorFilter, { before, limit }: ErrorSlice): Promise<ErrorPage> {
  const entries: ErrorSummary[] = [];
  for (let after = before; ;) {
    const page = await errors.list(filter, { before: after, limit: Math.min(limit - entries.length, ENTRIES_PER_BATCH) });
    entries.push(...page.entries);
    if (!page.next || page.searchedTo !== undefined || entries.length >= limit) return { ...page, entries };
    after = page.next;
    await nextTurn();
  }
}

export async function* groupBatches(
  errors: ErrorLog,
  { filter, order, after: start }: Pick<ErrorQuery, "filter" | "order" | "after">,
): AsyncGenerator<ErrorGroup[]> {
  let after = start;
  do {
    const { groups, next } = await errors.listGroups(filter, { order, after, limit: ENTRIES_PER_BATCH });
    yield groups;
    after = next;
  } while (after);
}
