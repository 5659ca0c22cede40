import type { Night } from "../../../../calendar/night.ts";
import type { RatePlanRow } from "../../../../db/schema.ts";
import { parsePlanDetails } from "../../../../journal/plan-details.ts";
import type { HotelReference } from "../../message.ts";
import type { DateRange } from "../parts/dates.ts";

/** A rate plan that is asked for: one by its code, or all that are joined under a code. */
export type Candidate = { code: string | undefined; joinCode: string | undefined };

/** What `OTA_HotelRatePlanRQ` asks for; without candidates every plan, without ranges every night. */
export type RatesQuery = { hotel: HotelReference; ranges: DateRange[]; candidates: Candidate[] };

/** Whether it asks, by an empty range, for what has changed since it was asked before, as AlpineBits has it. */
export function asksForChanges({ ranges }: RatesQuery): boolean {
  return ranges.some(({ first, last }) => first === undefined && last === undefined);
}

/** Whether a plan is asked for; code '' are the amounts that no plan has. */
export function isWanted({ candidates }: RatesQuery, code: string, plan: RatePlanRow | undefined): boolean {
  if (plan?.status === "removed") return false;
  if (candidates.length === 0) return true;
  const joinCode = plan ? parsePlanDetails(plan.details).joinCode : undefined;
  return (
    code !== "" &&
    candidates.some((candidate) => (candidate.code === undefined ? candidate.joinCode === joinCode : candidate.code === code))
  );
}

/** Nights from `first` to `last`, both included. */
export type Nights = { first: Night; last: Night };

/** The nights that are asked for, in order and each once, within those that can be told. */
export function askedNights({ ranges }: RatesQuery, limits: Nights): Nights[] {
  if (ranges.length === 0) return [limits];
  const asked = ranges.map(({ first = limits.first, last = limits.last }) => ({
    first: Math.max(first, limits.first),
    last: Math.min(last, limits.last),
  }));
  const joined: Nights[] = [];
  for (const range of asked.filter(({ first, last }) => first <= last).toSorted((a, b) => a.first - b.first)) {
    const before = joined.at(-1);
    if (before && range.first <= before.last + 1) before.last = Math.max(before.last, range.last);
    else joined.push(range);
  }
  return joined;
}
