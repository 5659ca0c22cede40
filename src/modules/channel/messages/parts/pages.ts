import type { Kind } from "../../../../calendar/operation.ts";
import type { PageRequest } from "../../../../journal/work.ts";
import type { Span } from "./dates.ts";

/** Collects the pages that a message touches: one request for each category and lane, from the first night to the last. */
export type PageSet = {
  /** Without `category` or `lane`: those of all. */
  add(kind: Kind, category: string | undefined, lane: string | undefined, span: Pick<Span, "first" | "last">): void;
  list(): readonly PageRequest[];
};

export function newPageSet(): PageSet {
  const requests = new Map<string, PageRequest>();
  return {
    add(kind, category, lane, { first, last }) {
      const key = `${kind}\n${category ?? "\n"}\n${lane ?? "\n"}`;
      const known = requests.get(key);
      if (!known) requests.set(key, { kind, ...(category === undefined ? {} : { category }), ...(lane === undefined ? {} : { lane }), first, last });
      else if (first < known.first || last > known.last) widen(known, first, last);
    },
    list: () => [...requests.values()],
  };
}

function widen(request: PageRequest, first: number, last: number): void {
  request.first = Math.min(request.first, first);
  request.last = Math.max(request.last, last);
}
