import type { Kind } from "../../../../calendar/operation.ts";
import type { PageRequest } from "../../../../journal/work.ts";
import { ALL_NIGHTS, type Range } from "./dates.ts";

/** Without `category` or `lane`: those of all. */
export type Pages = { kind: Kind; category: string | undefined; lane: string | undefined };

/** Collects the pages that a message touches: one request for each category and lane, from the first night to the last. */
export type PageSet = {
  add(pages: Pages, range: Pick<Range, "first" | "last">): void;
  /** Every page of the property: a complete set may clear any of them. */
  addEverything(): void;
  list(): readonly PageRequest[];
};

/** An empty set. */
export function newPageSet(): PageSet {
  const requests = new Map<string, PageRequest>();
  let last: { pages: Pages; request: PageRequest } | undefined;
  const set: PageSet = {
    add(pages, range) {
      if (last && isSame(last.pages, pages)) return widen(last.request, range);
      const key = `${pages.kind}\n${pages.category ?? "\n"}\n${pages.lane ?? "\n"}`;
      const request = requests.getOrInsertComputed(key, () => ({ ...pages, first: range.first, last: range.last }));
      widen(request, range);
      last = { pages, request };
    },
    addEverything() {
      for (const kind of ["inventory", "rate"] as const) set.add({ kind, category: undefined, lane: undefined }, ALL_NIGHTS);
    },
    list: () => [...requests.values()],
  };
  return set;
}

/** Lines mostly come category by category. */
function isSame(one: Pages, other: Pages): boolean {
  return one.category === other.category && one.lane === other.lane && one.kind === other.kind;
}

function widen(request: PageRequest, { first, last }: Pick<Range, "first" | "last">): void {
  if (first < request.first) request.first = first;
  if (last > request.last) request.last = last;
}
