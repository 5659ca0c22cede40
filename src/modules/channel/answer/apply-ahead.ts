import { type ComparedDraft, Drafts, UNNUMBERED } from "../../../calendar/apply.ts";
import type { StoredPage } from "../../../calendar/draft.ts";
import type { Operation } from "../../../calendar/operation.ts";
import type { AppliedAhead } from "../../../journal/work.ts";
import { eachInPieces, type Pieces } from "../pieces.ts";

/** Applies operations to pages as they are before the lock is held; what comes of it holds as long as the pages stay the same. */
export function* applyAhead(then: readonly StoredPage[], operations: readonly Operation[]): Pieces<AppliedAhead> {
  const drafts = new Drafts(then, UNNUMBERED);
  yield* eachInPieces(operations, (operation) => drafts.apply(operation));
  const compared: ComparedDraft[] = [];
  for (const draft of drafts.compared()) yield compared.push(draft);
  return (pages, id) => (areSame(then, pages) ? drafts.collect(compared, id) : undefined);
}

function areSame(then: readonly StoredPage[], now: readonly StoredPage[]): boolean {
  return then.length === now.length && then.every((page, index) => isSame(page, now[index]!));
}

function isSame(a: StoredPage, b: StoredPage): boolean {
  return a.kind === b.kind && a.category === b.category && a.lane === b.lane && a.span === b.span && Buffer.compare(a.bytes, b.bytes) === 0;
}
