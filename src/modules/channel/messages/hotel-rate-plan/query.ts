import type { Night } from "../../../../calendar/night.ts";
import type { RatePlanRow } from "../../../../db/schema.ts";
import { parsePlanDetails } from "../../../../journal/plan-details.ts";
import type { HotelReference } from "../../message.ts";
import type { Range } from "../parts/dates.ts";

/** A rate plan that is asked for: one by its code, or all that are joined under a code. */
export type Candidate = { code: string | undefined; joinCode: string | undefined };

/** What `OTA_HotelRatePlanRQ` asks for; without candidates every plan, without ranges every night. */
export type RatesQuery = { hotel: HotelReference; ranges: Range[]; candidates: Candidate[] };

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

/** The nights from the first to the last that is asked for, within those that can be told. */
export function hullOf({ ranges }: RatesQuery, limits: { first: Night; last: Night }): { first: Night; last: Night } {
  if (ranges.length === 0) return limits;
  const first = Math.min(...ranges.map((range) => range.first ?? limits.first));
  const last = Math.max(...ranges.map((range) => range.last ?? limits.last));
  return { first: Math.max(first, limits.first), last: Math.min(last, limits.last) };
}
