import { ALL_GROUPS, pageKind } from "../calendar/attributes.ts";
import { decodePage } from "../calendar/codec.ts";
import { copyNights, hasNight, type CopySource } from "../calendar/copy.ts";
import type { StoredPage } from "../calendar/draft.ts";
import { joinColumns } from "../calendar/lane.ts";
import type { Operation } from "../calendar/operation.ts";
import { emptyPage, type Page } from "../calendar/page.ts";
import { SPAN_DAYS } from "../calendar/runs.ts";
import { revertPage } from "../calendar/undo.ts";
import type { PageUndo } from "./undo-store.ts";

/** Nights are counted per category. */
export type PlanMove = { operations: Operation[]; moved: number; dropped: number };

const RATE_GROUPS = ALL_GROUPS.filter((group) => pageKind(group) === "rate");

/**
 * Moves the nights of the rate plan `from` to the plan `into`. If `into` already has values for a night, they stay and the night of `from`
 * is dropped, so that values of different plans are never mixed. `pages` are the pages of both plans.
 */
export function movePlan(pages: readonly StoredPage[], { from, into }: { from: string; into: string }): PlanMove {
  const result: PlanMove = { operations: [], moved: 0, dropped: 0 };
  for (const [category, own] of Map.groupBy(pages, (page) => page.category)) {
    const spans = own.map(({ span }) => span);
    const range = { first: Math.min(...spans), last: Math.max(...spans) };
    const source = joinNights(own.filter(({ lane }) => lane === from).map(decodeStoredPage), range);
    const target = joinNights(own.filter(({ lane }) => lane === into).map(decodeStoredPage), range);
    const moves = Array.from({ length: source.count }, (_, index) => hasNight(source, index) && !hasNight(target, index));
    const lane = { kind: "rate", category, lane: into } as const;
    for (const group of RATE_GROUPS) {
      const ids = source.setters.get(group);
      if (ids)
        result.operations.push(...copyNights(source, { lane, group, includes: (index) => moves[index]! && ids[index] !== undefined }));
    }
    const movedCount = moves.filter(Boolean).length;
    result.moved += movedCount;
    result.dropped += countNights(source) - movedCount;
  }
  result.operations.push(clearPlan(from));
  return result;
}

/** Removes all nights of a plan, including past ones. */
export function removePlanNights(pages: readonly StoredPage[], plan: string): { operations: Operation[]; nights: number } {
  const nights = pages.map((page) => countNights(joinNights([decodeStoredPage(page)], { first: page.span, last: page.span })));
  return { operations: [clearPlan(plan)], nights: nights.reduce((sum, count) => sum + count, 0) };
}

function clearPlan(plan: string): Operation {
  return { type: "clear", kind: "rate", groups: RATE_GROUPS, lane: plan, from: 0 };
}

type RestoredNights = { operations: Operation[]; kept: number };

/** `known` contains the categories that still exist. */
type RestoreOptions = { edit: number; known: ReadonlySet<unknown> };

/**
 * Restores the nights that the message `edit` changed. Nights that another message has set since then keep their newer values and are
 * counted in `kept`. So are the nights of deleted categories.
 */
export function restoreNights(pages: readonly StoredPage[], undos: readonly PageUndo[], { edit, known }: RestoreOptions): RestoredNights {
  const storedPages = new Map(pages.map((page) => [pageKey(page), page]));
  const restoredNights: RestoredNights = { operations: [], kept: 0 };
  for (const undo of undos) {
    const page = storedPages.get(pageKey(undo));
    const range = { first: undo.span, last: undo.span };
    const now = joinNights(page ? [decodeStoredPage(page)] : [], range);
    const revertedPage = page ? decodeStoredPage(page) : emptyPage(undo.span);
    revertPage(revertedPage, undo.undo);
    const before = joinNights([revertedPage], range);
    const isNewer = (index: number) =>
      !known.has(undo.category) || RATE_GROUPS.some((group) => ![undefined, edit].includes(now.setters.get(group)?.[index]));
    const wasChanged = (index: number) => RATE_GROUPS.some((group) => setterAt(before, group, index) !== setterAt(now, group, index));
    const lane = { kind: "rate", category: undo.category, lane: undo.lane } as const;
    const includes = (index: number) => wasChanged(index) && !isNewer(index);
    for (const group of RATE_GROUPS) restoredNights.operations.push(...copyNights(before, { lane, group, includes }));
    restoredNights.kept += nightIndexes(before).filter((index) => wasChanged(index) && isNewer(index)).length;
  }
  return restoredNights;
}

function setterAt({ setters }: CopySource, group: (typeof RATE_GROUPS)[number], index: number): number | undefined {
  return setters.get(group)?.[index];
}

function pageKey({ category, lane, span }: Pick<StoredPage, "category" | "lane" | "span">): string {
  return JSON.stringify([category, lane, span]);
}

function decodeStoredPage({ span, bytes }: StoredPage): Page {
  return decodePage(span, bytes);
}

function joinNights(pages: readonly Page[], spans: { first: number; last: number }): CopySource {
  const first = spans.first * SPAN_DAYS;
  const last = (spans.last + 1) * SPAN_DAYS - 1;
  return { ...joinColumns(pages, first, last), first, count: last - first + 1 };
}

function countNights(source: CopySource): number {
  return nightIndexes(source).filter((index) => hasNight(source, index)).length;
}

function nightIndexes({ count }: CopySource): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
