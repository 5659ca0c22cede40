import { amountAttribute, type ExtraAmount, taxSide } from "../../../calendar/amounts.ts";
import type { Attribute, AttributeValue, Tax } from "../../../calendar/attributes.ts";
import type { Operation } from "../../../calendar/operation.ts";
import type { PlanMention } from "../../../journal/work.ts";
import { MAX_EXTRAS_PER_NIGHT } from "../limits.ts";
import type { DecisionContext } from "../message.ts";
import { note, ruleBroken, tooManyValues } from "../ota-error.ts";
import type { SourceLocation } from "../report.ts";
import { parseMoney } from "./money.ts";
import type { ParsedAmount, ParsedExtra, Rate } from "./update.ts";

export type AmountValues = Map<Attribute, AttributeValue | undefined>;

/** Combines the amounts of rates for the same nights, in minor units. If two rates set the same amount, the later rate wins. */
export function mergeAmounts(rates: readonly Rate[], context: DecisionContext): AmountValues {
  const amounts: AmountValues = new Map();
  for (const rate of rates) addRate(amounts, rate, context);
  if (rates.some(({ extras }) => extras.length > 0)) amounts.set("extras", mergeExtras(rates, context));
  return amounts;
}

function addRate(amounts: AmountValues, rate: Rate, context: DecisionContext): void {
  const { currency = context.property.currency, mixed } = currencyOfRate(rate);
  if (mixed) context.report.error(ruleBroken("The amounts in a Rate must be in the same currency"), mixed.at);
  if (rate.amounts.length > 0 || rate.extras.length > 0) setCurrency(amounts, { currency, at: rate.at }, context);
  for (const amount of rate.amounts) addAmount(amounts, amount, { rate, currency, context });
  if (rate.perPerson !== undefined && rate.amounts.length > 0) setBasis(amounts, { perPerson: rate.perPerson, at: rate.at }, context);
  if (rate.mealPlan) amounts.set("mealPlan", rate.mealPlan);
}

function mergeExtras(rates: readonly Rate[], context: DecisionContext): string {
  const byKind = new Map<string, ExtraAmount[]>();
  for (const rate of rates) {
    const { currency = context.property.currency } = currencyOfRate(rate);
    const own = rate.extras.map((extra) => toExtra(extra, currency, context));
    for (const [kind, same] of Map.groupBy(own, extraKey)) byKind.set(kind, same);
  }
  const all = [...byKind.values()].flat();
  if (all.length > MAX_EXTRAS_PER_NIGHT)
    context.report.error(tooManyValues(`sets more than ${MAX_EXTRAS_PER_NIGHT} amounts for additional guests for one night`), rates[0]!.at);
  return JSON.stringify(all);
}

function extraKey({ age, tax, minAge, maxAge, guests }: ExtraAmount): string {
  return [age, tax, minAge, maxAge, guests].join();
}

/** Returns the currency of the rate's amounts. Amounts without a currency have the rate's. `mixed` is an amount in a different currency. */
export function currencyOfRate({ currency, amounts, extras }: Rate): { currency: string | undefined; mixed: ParsedAmount | undefined } {
  const all: readonly ParsedAmount[] = extras.length === 0 ? amounts : [...amounts, ...extras];
  const amountWithCurrency = currency === undefined ? all.find((amount) => amount.currency !== undefined) : all[0];
  const first = amountWithCurrency?.currency ?? currency;
  return { currency: first, mixed: all.find((amount) => (amount.currency ?? currency ?? first) !== first) };
}

function setCurrency(
  amounts: AmountValues,
  { currency, at }: { currency: string; at: SourceLocation },
  { property, report }: DecisionContext,
): void {
  const otherCurrency = amounts.get("currency") ?? currency;
  if (otherCurrency !== currency) report.error(ruleBroken("The amounts for a night must be in the same currency"), at);
  if (currency !== property.currency)
    report.warn(note(`amounts were stored in ${currency}, but the property's currency is ${property.currency}`), at);
  amounts.set("currency", currency);
}

function setBasis(amounts: AmountValues, { perPerson, at }: { perPerson: boolean; at: SourceLocation }, { report }: DecisionContext): void {
  const basis = Number(perPerson);
  const otherBasis = amounts.get("perPerson") ?? basis;
  if (otherBasis !== basis) report.error(ruleBroken("The amounts for a night must all be per person or all per room"), at);
  amounts.set("perPerson", basis);
}

function addAmount(
  amounts: AmountValues,
  amount: ParsedAmount,
  { rate, currency, context }: { rate: Rate; currency: string; context: DecisionContext },
): void {
  const units = toMinorUnits(amount, currency, context);
  if (units === undefined) return;
  if (units === 0) context.report.warn(note("an amount of 0 was stored"), amount.at);
  const attribute = amountAttribute({ ...amount, tax: chooseTaxSide(amount, context), nights: rate.stay ?? 1 });
  if ((amounts.get(attribute) ?? units) !== units)
    context.report.warn(note("two amounts were sent for the same guests; the later one was stored"), amount.at);
  amounts.set(attribute, units);
}

function chooseTaxSide({ tax }: ParsedAmount, { property }: DecisionContext): Tax {
  if (tax !== "property") return tax;
  return property.prices_include_tax === 1 ? "after" : "before";
}

function toMinorUnits(amount: ParsedAmount, currency: string, { report }: DecisionContext): number | undefined {
  const { text, field, decimalPlaces } = amount;
  const units = parseMoney({ text, field, currency, decimalPlaces });
  if (typeof units === "number") return units;
  report.error(units, amount.at);
  return undefined;
}

function toExtra(extra: ParsedExtra, currency: string, context: DecisionContext): ExtraAmount {
  return {
    amount: toMinorUnits(extra, currency, context) ?? 0,
    age: extra.age,
    tax: extra.tax,
    minAge: extra.minAge,
    maxAge: extra.maxAge,
    guests: extra.maxGuests,
  };
}

type TaxSides = NonNullable<PlanMention["taxes"]>;

/** Returns, for each rate plan with new amounts, whether they are before tax, after tax or both. */
export function collectTaxes(operations: readonly Operation[]): ReadonlyMap<string, TaxSides> {
  const taxesByPlan = new Map<string, TaxSides>();
  for (const operation of operations) {
    if (operation.type === "clear" || operation.group !== "amounts") continue;
    for (const attribute of operation.values.keys()) {
      const tax = taxSide(attribute);
      if (tax) taxesByPlan.set(operation.lane, (taxesByPlan.get(operation.lane) ?? tax) === tax ? tax : "both");
    }
  }
  return taxesByPlan;
}
