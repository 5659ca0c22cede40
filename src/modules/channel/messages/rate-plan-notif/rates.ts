import { eachInPieces, type Pieces } from "../../pieces.ts";
import { amountsOf, warnOfOtherCurrency } from "../parts/amounts.ts";
import { rangeKey } from "../parts/dates.ts";
import { mostGuests, planAmounts, warnOfGuests } from "../parts/plan-amounts.ts";
import { narrowestFirst, type Rate } from "../parts/rate.ts";
import { currencyOfRate } from "../parts/read-rate.ts";
import type { Sheet } from "../parts/sheet.ts";
import { categoriesOf } from "./products.ts";
import type { KnownPlan, PlanRead, Planned } from "./rate-plan.ts";

/** Turns the dated rates of a plan into amounts of nights. */
export function planRates(sheet: Sheet, planned: Planned): Pieces<void> {
  return eachInPieces(nightsOf(planned), (rates) => planNights(sheet, planned, rates));
}

function planNights(sheet: Sheet, { plan, code }: Planned, rates: readonly Rate[]): void {
  const { category, range, at } = rates[0]!;
  const amounts = amountsOf(rates, sheet.context);
  const categories = categoriesOf(sheet, plan, { category, at });
  const clipped = range && sheet.clipper.clip(range, at);
  if (!clipped) return;
  const replace = plan.type !== "delta" && rates.some((rate) => rate.amounts.length > 0);
  if (!replace) warnOfOtherCurrency(amounts, sheet.context, at);
  for (const one of categories) {
    for (const rate of rates) warnOfGuests(sheet, one, { guests: mostGuests(rate), at: rate.at });
    planAmounts(sheet, { category: one, lane: code, range: clipped, replace }, amounts);
  }
}

/** Rates for the same category and nights are taken together. */
function nightsOf({ plan, before }: Planned): Iterable<readonly Rate[]> {
  const terms = termsOf(before);
  const rates = narrowestFirst(plan.rates, (rate) => [rate]).map((rate) => inherit(rate, plan, terms));
  const alike = Map.groupBy(rates, (rate) => `${rate.category ?? ""} ${rangeKey(rate)}`);
  return narrowestFirst([...alike.values()], (same) => same);
}

type Terms = Pick<Rate, "currency" | "nights" | "perPerson" | "mealPlan">;

function termsOf({ currency, nights, price_basis, meal_plan }: KnownPlan): Terms {
  return {
    currency: currency ?? undefined,
    nights,
    perPerson: price_basis === null ? undefined : price_basis === "person",
    mealPlan: meal_plan ?? undefined,
  };
}

/** Fills what rate and static rate leave out from the terms that are known of the plan. */
function inherit(rate: Rate, plan: PlanRead, terms: Terms): Rate {
  return {
    ...rate,
    currency: rate.currency ?? plan.currency ?? currencyOfRate(rate).currency ?? terms.currency,
    nights: rate.nights ?? terms.nights,
    perPerson: rate.perPerson ?? terms.perPerson,
    mealPlan: rate.mealPlan ?? terms.mealPlan,
  };
}
