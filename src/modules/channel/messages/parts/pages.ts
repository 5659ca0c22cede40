import type { Kind } from "../../../../calendar/operation.ts";
import type { PageRequest } from "../../../../journal/work.ts";
import { ALL_NIGHTS, type Span } from "./dates.ts";

/** Without `category` or `lane`: those of all. */
export type Pages = { kind: Kind; category: string | undefined; lane: string | undefined };

/** Collects the pages that a message touches: one request for each category and lane, from the first night to the last. */
export type PageSet = {
  add(pages: Pages, span: Pick<Span, "first" | "last">): void;
  /** Every page of the property: a complete set may clear any of them. */
  addEverything(): void;
  list(): readonly PageRequest[];
};

/** A set without pages. */
export function newPageSet(): PageSet {
  const requests = new Map<string, PageRequest>();
  let last: { pages: Pages; request: PageRequest } | undefined;
  const set: PageSet = {
    add(pages, span) {
      if (last && isSame(last.pages, pages)) return widen(last.request, span);
      const key = `${pages.kind}\n${pages.category ?? "\n"}\n${pages.lane ?? "\n"}`;
      const request = requests.get(key) ?? requestOf(pages, span);
      requests.set(key, request);
      widen(request, span);
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

function requestOf({ kind, category, lane }: Pages, { first, last }: Pick<Span, "first" | "last">): PageRequest {
  return { kind, ...(category === undefined ? {} : { category }), ...(lane === undefined ? {} : { lane }), first, last };
}

function widen(request: PageRequest, { first, last }: Pick<Span, "first" | "last">): void {
  if (first < request.first) request.first = first;
  if (last > request.last) request.last = last;
}
