import type { PageRequest } from "../../../journal/work.ts";
import { storableNights } from "../limits.ts";
import type { HotelRequest } from "../message.ts";

/** The pages of a request, cut to the nights that can be stored at `now`. */
export function storablePages({ pages }: HotelRequest, now: number): readonly PageRequest[] {
  const nights = storableNights(now);
  return pages
    .map((page) => ({ ...page, first: Math.max(page.first, nights.first), last: Math.min(page.last, nights.last) }))
    .filter(({ first, last }) => first <= last);
}
