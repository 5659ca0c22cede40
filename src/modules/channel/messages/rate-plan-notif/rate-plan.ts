import type { DayMask } from "../../../../calendar/operation.ts";
import type { RatePlanRow } from "../../../../db/schema.ts";
import type { PlanDetails } from "../../../../journal/plan-details.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { HotelReference } from "../../message.ts";
import type { SourceLocation } from "../../report.ts";
import type { NamedCategory, WeekdayRange, UpdateTarget } from "../../updates/update.ts";
import type { DateRange, ParsedDates } from "../parts/dates.ts";
import type { AmountDefaults, ParsedRate } from "../parts/rate.ts";
import type { Restrictions } from "../parts/restrictions.ts";

/** `full` replaces the plan, `overlay` the nights and descriptions in the message, and `delta` only the values in the message. */
export type NotifType = "full" | "overlay" | "delta" | "remove";

/** Defaults for a plan's rates, from its first `Rate` if that has neither dates nor a category. */
export type StaticRate = AmountDefaults & {
  at: SourceLocation;
  perPerson: boolean | undefined;
  /** Whether any of its amounts says that it is per person or per room. */
  hasBasis: boolean;
  /** Whether some of its amounts are per person and others per room. */
  hasMixedBases: boolean;
  /** Whether it has amounts. They are not stored, because a static rate has no nights. */
  hasAmounts: boolean;
  stay: number | undefined;
  mealPlan: string | undefined;
};

/** A `BookingRule`. Without a category, it applies to all categories. An open range starts today or ends at the booking horizon. */
export type PlanRule = {
  at: SourceLocation;
  category: string | undefined;
  range: (DateRange & Pick<WeekdayRange, "days">) | undefined;
  restrictions: Restrictions;
  /** Weekdays on which guests may arrive or depart. */
  arrival: DayMask | undefined;
  departure: DayMask | undefined;
  narrowedBy: NarrowingAttribute[];
};

export type ParsedPlan = {
  at: SourceLocation;
  /** If undefined, the plan's rates and rules apply to their categories without a plan. */
  code: string | undefined;
  type: NotifType | undefined;
  currency: string | undefined;
  /** From the plan's `ChargeTypeCode`. */
  perPerson: boolean | undefined;
  /** Whether the plan is derived from a different one. A derived plan without amounts keeps its stored amounts. */
  isDerived: boolean;
  dates: ParsedDates;
  staticRate: StaticRate | undefined;
  rates: ParsedRate[];
  rules: PlanRule[];
  /** The plan's `SellableProduct` elements. */
  products: NamedCategory[];
  narrowedBy: NarrowingAttribute[];
  details: Partial<PlanDetails>;
};

/** Stored values that a plan's later rates and descriptions inherit. */
export type KnownPlan = Pick<RatePlanRow, "name" | "currency" | "price_basis" | "meal_plan"> & Pick<PlanDetails, "nights">;

/**
 * A plan to apply. `code` is empty for rates without a plan. `replacesPlan` means that the message replaces everything stored for the plan.
 */
export type PlanContext = { plan: ParsedPlan; code: string; replacesPlan: boolean; before: KnownPlan };

/**
 * Returns the target of a rate or rule. If it names no category, the target is the plan's products: OpenTravel lists them once per plan,
 * and some senders, such as XML-Travelgate, name rooms only there.
 */
export function planTarget({ products }: Pick<ParsedPlan, "products">, plan: string, category: string | undefined): UpdateTarget {
  return { category, room: undefined, plan: plan === "" ? undefined : plan, wholeHotel: false, categories: products };
}

/** Whether every rate and rule without a plan has a category. */
export function namesCategories({ rates, rules, products }: ParsedPlan): boolean {
  const parts = [...rates, ...rules];
  return parts.length > 0 && (products.length > 0 || parts.every(({ category }) => category !== undefined));
}

/** Returns the limits on all of the plans and on their rates and rules. */
export function collectLimits(plans: readonly ParsedPlan[]): readonly NarrowingAttribute[] {
  return plans.flatMap(({ narrowedBy, rates, rules }) => [narrowedBy, ...[...rates, ...rules].map((part) => part.narrowedBy)].flat());
}

export type RatePlans = { hotel: HotelReference; plans: readonly ParsedPlan[]; completeSet: boolean };

/** Whether the message is an empty complete set, which consists of one empty `RatePlan`. */
export function isReset({ plans, completeSet }: RatePlans): boolean {
  const [plan, second] = plans;
  return completeSet && plan !== undefined && second === undefined && plan.code === undefined && isEmptyPlan(plan);
}

function isEmptyPlan({ staticRate, rates, rules, details }: ParsedPlan): boolean {
  return staticRate === undefined && rates.length === 0 && rules.length === 0 && Object.keys(details).length === 0;
}
