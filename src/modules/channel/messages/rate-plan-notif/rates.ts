import { NO_VALUES } from "../../../../calendar/attributes.ts";
import { currencyOfRate } from "../../updates/amounts.ts";
import { NO_NARROWING, type Rate, type Update } from "../../updates/update.ts";
import { rangeKey } from "../parts/dates.ts";
import { isUncomputedRate, mostSpecificFirst, type ParsedRate } from "../parts/rate.ts";
import { type KnownPlan, type ParsedPlan, type PlanContext, planTarget } from "./rate-plan.ts";

/** Converts a plan's dated rates into updates: one per category and range of nights. */
export function ratesUpdates({ plan, code, before }: PlanContext): readonly Update[] {
  const terms = planTerms(before);
  const groups = new Map<string, ParsedRate[]>();
  const pricedRates = plan.rates.filter((rate) => !isUncomputedRate(rate));
  for (const rate of mostSpecificFirst(pricedRates, ({ specificity }) => specificity)) {
    const group = groups.getOrInsertComputed(`${rate.category ?? ""} ${rangeKey(rate)}`, () => []);
    group.push(applyPlanTerms(rate, plan, terms));
  }
  const sortedGroups = mostSpecificFirst([...groups.values()], (rates) => Math.min(...rates.map(({ specificity }) => specificity)));
  return sortedGroups.map((rates) => toUpdate(rates, plan, code));
}

function toUpdate(rates: readonly ParsedRate[], plan: ParsedPlan, code: string): Update {
  const { at, category, range } = rates[0]!;
  const replace = plan.type !== "delta" && rates.some(({ amounts }) => amounts.length > 0);
  return {
    at,
    target: planTarget(plan, code, category),
    narrowedBy: NO_NARROWING,
    nights: range,
    set: NO_VALUES,
    amounts: { rates, replace },
  };
}

type PlanTerms = Pick<Rate, "currency" | "stay" | "perPerson" | "mealPlan">;

function planTerms({ currency, nights, price_basis, meal_plan }: KnownPlan): PlanTerms {
  return {
    currency: currency ?? undefined,
    stay: nights,
    perPerson: price_basis === null ? undefined : price_basis === "person",
    mealPlan: meal_plan ?? undefined,
  };
}

/** Uses the plan's known terms for values that neither the rate nor the static rate has. */
function applyPlanTerms(rate: ParsedRate, plan: ParsedPlan, terms: PlanTerms): ParsedRate {
  return {
    ...rate,
    currency: rate.currency ?? plan.currency ?? currencyOfRate(rate).currency ?? terms.currency,
    stay: rate.stay ?? terms.stay,
    perPerson: rate.perPerson ?? plan.perPerson ?? terms.perPerson,
    mealPlan: rate.mealPlan ?? terms.mealPlan,
  };
}
