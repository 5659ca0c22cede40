import { type AmountKey, sortAmounts, ageRangeKey } from "../../calendar/amounts.ts";
import { attributesIn, RESTRICTION_ATTRIBUTES } from "../../calendar/attributes.ts";
import { formatAmount } from "../../calendar/money.ts";
import type { RateNight } from "../../calendar/night-values.ts";
import type { Price } from "../../calendar/price.ts";
import type { PricedNight } from "../../calendar/sale.ts";
import { type GridContext, gridJson } from "../../grid/context.ts";
import { rateValues } from "../../grid/received.ts";
import { saleJson } from "../../grid/sale-export.ts";
import type { CsvColumn } from "../../web/csv.ts";
import type { RateRow } from "./row.ts";

export type RateLine = PricedNight & { property: string; category: string; plan: string; night: string };

export function rateLines({ property, days }: GridContext, rows: readonly RateRow[]): RateLine[] {
  return rows.flatMap(({ category, plan, nights }) =>
    nights.map((night, index) => ({ ...night, property: property.code, category: category.code, plan, night: days[index]!.iso })),
  );
}

/** Excludes `currency`, which has its own column, and `extras`, a JSON list that doesn't fit into CSV. */
const AMOUNT_TERMS = attributesIn("amounts").filter((name) => name !== "currency" && name !== "extras");

/**
 * Amounts are decimals. An empty cell means that nothing was received. `amounts` lists each amount as tax, guests, age, nights and value.
 * The age is an age qualifying code, followed by the ages in years if the sender sent them, such as `8:2-5`.
 */
export const rateColumns: readonly CsvColumn<RateLine>[] = [
  { head: "property", cell: ({ property }) => property },
  { head: "category", cell: ({ category }) => category },
  { head: "plan", cell: ({ plan }) => plan },
  { head: "night", cell: ({ night }) => night },
  { head: "sellable", cell: ({ verdict }) => verdict.state === "sellable" },
  { head: "sale", cell: ({ verdict }) => verdict.state },
  { head: "price", cell: ({ price }) => price && formatDecimal(price) },
  { head: "currency", cell: ({ rate }) => rate.currency },
  { head: "tax", cell: ({ price }) => price?.tax },
  { head: "guests", cell: ({ price }) => price?.guests },
  ...[...AMOUNT_TERMS, ...RESTRICTION_ATTRIBUTES, ...attributesIn("allotment")].map((head) => ({
    head,
    cell: ({ rate }: RateLine) => rate[head],
  })),
  { head: "allotmentMessage", cell: ({ rate }) => rate.setters.allotment },
  { head: "amounts", cell: ({ rate }) => amountTexts(rate.amounts, rate.currency) },
  { head: "amountsMessage", cell: ({ rate }) => rate.setters.amounts },
  { head: "restrictionsMessage", cell: ({ rate }) => rate.setters.restrictions },
  { head: "saleMessage", cell: ({ verdict }) => verdict.reasons[0]?.message },
];

function formatDecimal(price: Price): string {
  return formatAmount(price.minor, price.currency);
}

function amountTexts(amounts: RateNight["amounts"], currency = ""): string | undefined {
  const amountLines = sortAmounts(amounts).map(
    ({ key, minor }) => `${key.tax} ${key.guests} ${ageText(key)} ${key.nights} ${formatAmount(minor, currency)}`,
  );
  return amountLines.join("; ") || undefined;
}

function ageText(key: AmountKey): string {
  const years = ageRangeKey(key);
  return years === "" ? String(key.age) : `${key.age}:${years}`;
}

/** Absent values were not received. Amounts are decimal strings. `names` maps rate plan codes to names. */
export function rateJson(context: GridContext, all: readonly RateRow[], names: ReadonlyMap<string, string>): object {
  return gridJson(context, all, (_category, rows) => ({
    plans: rows.map(({ plan, nights }) => ({
      code: plan,
      name: names.get(plan),
      nights: nights.map((night, index) => ({ night: context.days[index]!.iso, ...nightJson(night) })),
    })),
  }));
}

function nightJson({ rate, price, verdict }: PricedNight): object {
  return {
    ...saleJson(verdict),
    price: price && { ...price, minor: undefined, amount: formatDecimal(price) },
    ...rateValues(rate),
    messages: rate.setters,
  };
}
