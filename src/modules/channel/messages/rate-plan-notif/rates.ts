import type { Place } from "../../report.ts";
import { amountsOf, warnOfOtherCurrency } from "../parts/amounts.ts";
import { rangeKey } from "../parts/dates.ts";
import { mostGuests, planAmounts, warnOfGuests } from "../parts/plan-amounts.ts";
import { narrowestFirst, type Rate } from "../parts/rate.ts";
import { currencyOfRate } from "../parts/read-rate.ts";
import type { Sheet } from "../parts/sheet.ts";
import { categoriesOf } from "./products.ts";
import type { KnownPlan, PlanRead, Planned } from "./rate-plan.ts";

/** Turns the dated rates of a plan into amounts of nights. */
export function planRates(sheet: Sheet, planned: Planned): void {
  for (const rates of nightsOf(planned)) planNights(sheet, planned, rates);
}

function planNights(sheet: Sheet, { plan, code }: Planned, rates: readonly Rate[]): void {
  const { category, range, at } = rates[0]!;
  const amounts = amountsOf(rates, sheet.context);
  const categories = categoriesOf(sheet, plan, { category, at });
  const clipped = range && sheet.clipper.clip(range, at);
  if (!clipped) return;
  const replace = plan.type !== "delta" && rates.some((rate) => rate.amounts.length > 0);
  if (!replace) warnOfOtherCurrency(amounts, sheet.context, at);
  const guestsAt = placesByGuests(rates);
  for (const one of categories) {
    for (const [guests, place] of guestsAt) warnOfGuests(sheet, one, { guests, at: place });
    planAmounts(sheet, { category: one, lane: code, range: clipped, replace }, amounts);
  }
}

/** Where a number of guests is told first: each is warned of once. */
function placesByGuests(rates: readonly Rate[]): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  for (const rate of rates) places.getOrInsert(mostGuests(rate), rate.at);
  return places;
}

/** Rates for the same category and nights are taken together. */
function nightsOf({ plan, before }: Planned): Iterable<readonly Rate[]> {
  const terms = termsOf(before);
  const alike = new Map<string, Rate[]>();
  for (const rate of narrowestFirst(plan.rates, (one) => [one])) {
    const same = alike.getOrInsertComputed(`${rate.category ?? ""} ${rangeKey(rate)}`, () => []);
    same.push(inherit(rate, plan, terms));
  }
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
