import { type ComparedDraft, Drafts, UNNUMBERED } from "../../../calendar/apply.ts";
import type { StoredPage } from "../../../calendar/draft.ts";
import { laneName } from "../../../calendar/lane.ts";
import type { Operation } from "../../../calendar/operation.ts";
import type { AppliedAhead } from "../../../journal/work.ts";
import { eachInPieces, eachMadeInPieces, type Pieces } from "../../../pieces.ts";

/** Applies operations to pages as they are before the lock is held; what comes of it holds as long as the pages stay the same. */
export function* applyAhead(then: readonly StoredPage[], operations: readonly Operation[]): Pieces<AppliedAhead> {
  const drafts = new Drafts(then, UNNUMBERED);
  yield* drafts.apply(operations);
  const compared: ComparedDraft[] = [];
  yield* eachMadeInPieces(drafts.compared(), (draft) => void compared.push(draft));
  const bytes = new Map(then.map((page) => [nameOf(page), page.bytes]));
  return function* applied(pages, id) {
    return (yield* areSame(bytes, pages)) ? yield* drafts.collect(compared, id) : undefined;
  };
}

/** In whatever order: PostgreSQL reads them in that of another plan now and then. */
function* areSame(then: ReadonlyMap<string, Uint8Array>, now: readonly StoredPage[]): Pieces<boolean> {
  let same = then.size === now.length;
  if (same) yield* eachInPieces(now, (page) => (same &&= isSame(then.get(nameOf(page)), page.bytes)));
  return same;
}

function nameOf(page: StoredPage): string {
  return `${laneName(page)}\n${page.span}`;
}

function isSame(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0;
}
