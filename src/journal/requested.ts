import type { ChangedPage } from "../calendar/apply.ts";
import { spanOf } from "../calendar/page.ts";
import type { PageRequest } from "./work.ts";

/** An operation touched a page that was not requested, so not read: storing it would lose its data. */
export class UnrequestedPageError extends Error {
  override readonly name = "UnrequestedPageError";
}

/** Throws `UnrequestedPageError` for a changed page that no request covers. */
export function checkRequested(changed: readonly ChangedPage[], requests: readonly PageRequest[]): void {
  if (changed.length === 0) return;
  const byLane = groupRequests(requests);
  for (const { kind, category, lane, span } of changed) {
    const isIn = (name: string) => byLane.get(name)?.some(({ first, last }) => span >= spanOf(first) && span <= spanOf(last));
    const covered =
      isIn(nameOf(kind, category, lane)) || isIn(nameOf(kind, undefined, lane)) || isIn(nameOf(kind, category)) || isIn(nameOf(kind));
    if (!covered) throw new UnrequestedPageError(`${kind} page ${span} of ${category}/${lane} was not requested`);
  }
}

function groupRequests(requests: readonly PageRequest[]): Map<string, PageRequest[]> {
  return Map.groupBy(requests, ({ kind, category, lane }) => nameOf(kind, category, lane));
}

function nameOf(kind: string, category?: string, lane?: string): string {
  return `${kind}\n${category ?? "\n"}\n${lane ?? "\n"}`;
}
