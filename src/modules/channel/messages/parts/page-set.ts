import type { Kind } from "../../../../calendar/attributes.ts";
import type { PageRequest } from "../../../../journal/work.ts";
import { ALL_NIGHTS, type Range } from "./dates.ts";

/** Without `category` or `lane`: those of all. */
export type Pages = { kind: Kind; category: string | undefined; lane: string | undefined };

type Ends = Pick<Range, "first" | "last">;

/** Collects the pages that a message touches: one request for each category and lane, from the first night to the last. */
export class PageSet {
  readonly #requests = new Map<string, PageRequest>();
  #last: PageRequest | undefined;

  add(pages: Pages, range: Ends): void {
    if (!this.#last || !isSame(this.#last, pages)) this.#last = this.#requestFor(pages, range);
    widen(this.#last, range);
  }

  /** Every page of the property: a complete set may clear any of them. */
  addEverything(): void {
    for (const kind of ["inventory", "rate"] as const) this.add({ kind, category: undefined, lane: undefined }, ALL_NIGHTS);
  }

  list(): readonly PageRequest[] {
    return [...this.#requests.values()];
  }

  /** The request for these pages, made with the range when there is none yet. */
  #requestFor(pages: Pages, { first, last }: Ends): PageRequest {
    const key = `${pages.kind}\n${pages.category ?? "\n"}\n${pages.lane ?? "\n"}`;
    return this.#requests.getOrInsertComputed(key, () => ({ ...pages, first, last }));
  }
}

/** Lines mostly come category by category. */
function isSame(one: PageRequest, other: Pages): boolean {
  return one.category === other.category && one.lane === other.lane && one.kind === other.kind;
}

function widen(request: PageRequest, { first, last }: Ends): void {
  if (first < request.first) request.first = first;
  if (last > request.last) request.last = last;
}
