import { parsePlanDetails } from "../../../../journal/plan-details.ts";
import type { StoredPlan } from "../../../../journal/work.ts";
import type { HotelReference } from "../../message.ts";
import type { DateRange } from "../parts/dates.ts";

/** A requested rate plan, or all plans that share a join code. */
export type Candidate = { code: string | undefined; joinCode: string | undefined };

/** No candidates means all plans, and no ranges means all nights. */
export type RatesQuery = { hotel: HotelReference; ranges: DateRange[]; candidates: Candidate[] };

/** Whether the query contains an empty range, with which AlpineBits requests the changes since the last query. */
export function requestsChanges({ ranges }: RatesQuery): boolean {
  return ranges.some(({ first, last }) => first === undefined && last === undefined);
}

/**
 * Returns a predicate that is true for the requested plans. Amounts without a plan have an empty code. Uses sets, because a query may name
 * 100,000 plans.
 */
export function createPlanFilter({ candidates }: RatesQuery): (code: string, plan: StoredPlan | undefined) => boolean {
  const codes = new Set(candidates.map(({ code }) => code));
  const joinCodes = new Set(candidates.filter(({ code }) => code === undefined).map(({ joinCode }) => joinCode));
  return (code, plan) => {
    if (plan !== undefined && plan.status !== "active") return false;
    if (candidates.length === 0) return true;
    return code !== "" && (codes.has(code) || (joinCodes.size > 0 && joinCodes.has(parsePlanDetails(plan?.details).joinCode)));
  };
}
