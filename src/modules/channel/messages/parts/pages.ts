import type { Kind } from "../../../../calendar/operation.ts";
import type { PageRequest } from "../../../../journal/work.ts";
import { ALL_NIGHTS, type Range } from "./dates.ts";

/** Without `category` or `lane`: those of all. */
export type Pages = { kind: Kind; category: string | undefined; lane: string | undefined };

type Ends = Pick<Range, "first" | "last">;

/** Collects the pages that a message touches: one request for each category and lane, from the first night to the last. */
export type PageSet = {
  add(pages: Pages, range: Ends): void;
  /** Every page of the property: a complete set may clear any of them. */
  addEverything(): void;
  list(): readonly PageRequest[];
};

/** An empty set. */
export function newPageSet(): PageSet {
  const requests = new Map<string, PageRequest>();
  let last: PageRequest | undefined;
  const set: PageSet = {
    add(pages, range) {
      if (!last || !isSame(last, pages)) last = requestFor(requests, pages, range);
      widen(last, range);
    },
    addEverything() {
      for (const kind of ["inventory", "rate"] as const) set.add({ kind, category: undefined, lane: undefined }, ALL_NIGHTS);
    },
    list: () => [...requests.values()],
  };
  return set;
}

/** The request for these pages, made with the range when there is none yet. */
function requestFor(requests: Map<string, PageRequest>, pages: Pages, { first, last }: Ends): PageRequest {
  const key = `${pages.kind}\n${pages.category ?? "\n"}\n${pages.lane ?? "\n"}`;
  return requests.getOrInsertComputed(key, () => ({ ...pages, first, last }));
}

/** Lines mostly come category by category. */
function isSame(one: PageRequest, other: Pages): boolean {
  return one.category === other.category && one.lane === other.lane && one.kind === other.kind;
}

function widen(request: PageRequest, { first, last }: Ends): void {
  if (first < request.first) request.first = first;
  if (last > request.last) request.last = last;
}
