import type { DayMask } from "../../../../calendar/operation.ts";
import type { PlanDetails } from "../../../../journal/plan-details.ts";
import type { HotelReference } from "../../message.ts";
import type { Place } from "../../report.ts";
import type { DatesRead, Range } from "../parts/dates.ts";
import type { Rate } from "../parts/rate.ts";
import type { Restrictions } from "../parts/restrictions.ts";
import type { Listed } from "../parts/targets.ts";

/**
 * `full` (sent as New or Full) replaces the plan, `overlay` the nights and pieces that are sent,
 * `delta` only the values that are sent; `remove` takes the plan away.
 */
export type NotifType = "full" | "overlay" | "delta" | "remove";

/** What every rate of the plan has unless it says otherwise: the first `Rate`, without dates and category. */
export type StaticRate = {
  at: Place;
  perPerson: boolean | undefined;
  /** Amounts per person and per room in one. */
  mixed: boolean;
  /** It has amounts, though it has no nights to which they could belong. */
  priced: boolean;
  nights: number | undefined;
  mealPlan: string | undefined;
};

/** A `BookingRule`; without a category it is for all of them, without a range for all nights. */
export type Rule = {
  at: Place;
  category: string | undefined;
  range: Range | undefined;
  undated: boolean;
  restrictions: Restrictions;
  /** Weekdays on which guests may arrive and depart. */
  arrival: DayMask | undefined;
  departure: DayMask | undefined;
};

/** One `RatePlan` as it was read. */
export type PlanRead = {
  at: Place;
  code: string | undefined;
  type: NotifType | undefined;
  currency: string | undefined;
  dates: DatesRead;
  staticRate: StaticRate | undefined;
  /** Those of some nights; one without a category is for all of them. */
  rates: Rate[];
  rules: Rule[];
  /** The `SellableProduct`s, which its rates and rules without a category are for; none: every category. */
  products: Listed[];
  /** The pieces that were sent. */
  details: Partial<PlanDetails>;
};

/** A plan on its way to the nights; `full` when everything it had before was taken away. */
export type Planned = { plan: PlanRead; code: string; full: boolean };

/** The whole message as it was read. */
export type RatePlans = { hotel: HotelReference; plans: readonly PlanRead[]; completeSet: boolean };

/** An empty `RatePlan` in a complete set says that there are none. */
export function isReset({ plans, completeSet }: RatePlans): boolean {
  const [plan, second] = plans;
  return completeSet && plan !== undefined && second === undefined && plan.code === undefined && isEmpty(plan);
}

function isEmpty({ staticRate, rates, rules, details }: PlanRead): boolean {
  return staticRate === undefined && rates.length === 0 && rules.length === 0 && Object.keys(details).length === 0;
}
