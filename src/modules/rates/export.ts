import { RESTRICTIONS } from "../../calendar/attributes.ts";
import { formatAmount } from "../../calendar/money.ts";
import { extrasJson } from "../../grid/change-json.ts";
import { gridJson } from "../../grid/json.ts";
import { type GridScene, shownCategories } from "../../grid/scene.ts";
import type { CsvColumn } from "../../web/csv.ts";
import { type Amount, type Price, sortAmounts } from "./price.ts";
import type { PricedNight, RateRow } from "./row.ts";

export type RateLine = PricedNight & { property: string; category: string; plan: string; night: string };

/** Every night of every row. */
export function rateLines({ property, days }: GridScene, rows: readonly RateRow[]): RateLine[] {
  return rows.flatMap(({ category, plan, nights }) =>
    nights.map((night, index) => ({ ...night, property: property.code, category: category.code, plan, night: days[index]!.iso })),
  );
}

/** Amounts are decimals; an empty cell is nothing received. `amounts` lists all, as tax, guests, age, nights and amount. */
export const rateColumns: readonly CsvColumn<RateLine>[] = [
  { head: "property", cell: ({ property }) => property },
  { head: "category", cell: ({ category }) => category },
  { head: "plan", cell: ({ plan }) => plan },
  { head: "night", cell: ({ night }) => night },
  { head: "sellable", cell: ({ sale }) => sale === "sellable" },
  { head: "sale", cell: ({ sale }) => sale },
  { head: "price", cell: ({ price }) => price && decimal(price) },
  { head: "currency", cell: ({ rate }) => rate.currency },
  { head: "tax", cell: ({ price }) => price?.tax },
  { head: "guests", cell: ({ price }) => price?.guests },
  { head: "perPerson", cell: ({ rate }) => rate.perPerson },
  { head: "mealPlan", cell: ({ rate }) => rate.mealPlan },
  ...RESTRICTIONS.map((head) => ({ head, cell: ({ rate }: RateLine) => rate[head] })),
  {
    head: "amounts",
    cell: ({ rate }) =>
      sortAmounts(rate.amounts)
        .map((amount) => amountText(amount, rate.currency))
        .join("; ") || undefined,
  },
  { head: "amountsMessage", cell: ({ rate }) => rate.setters.amounts },
  { head: "restrictionsMessage", cell: ({ rate }) => rate.setters.restrictions },
];

function decimal(price: Price): string {
  return formatAmount(price.minor, price.currency);
}

function amountText({ key, minor }: Amount, currency = ""): string {
  return `${key.tax} ${key.guests} ${key.age} ${key.nights} ${formatAmount(minor, currency)}`;
}

/** The grid as one JSON value; what is absent was not received. Amounts are decimals as text. */
export function rateJson(scene: GridScene, rows: readonly RateRow[], names: ReadonlyMap<string, string>): object {
  const ofCategory = Map.groupBy(rows, (row) => row.category.code);
  const shown = shownCategories(scene).filter(({ code }) => ofCategory.has(code));
  const plansOf = (category: string) =>
    ofCategory.get(category)!.map((row) => ({
      code: row.plan,
      name: names.get(row.plan),
      nights: row.nights.map((night, index) => ({ night: scene.days[index]!.iso, ...nightJson(night) })),
    }));
  return gridJson(
    scene,
    shown.map(({ code, name }) => ({ code, name, plans: plansOf(code) })),
  );
}

function nightJson({ rate, price, sale }: PricedNight): object {
  const { amounts, extras, setters, ...received } = rate;
  return {
    sellable: sale === "sellable",
    sale,
    price: price && { ...price, minor: undefined, amount: decimal(price) },
    amounts: sortAmounts(amounts).map(({ key, minor }) => ({ ...key, amount: formatAmount(minor, rate.currency ?? "") })),
    ...received,
    extras: extras === undefined ? undefined : extrasJson(extras, rate.currency ?? ""),
    messages: setters,
  };
}
