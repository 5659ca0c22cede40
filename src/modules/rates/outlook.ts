import { formatAmount, readableAmount } from "../../calendar/money.ts";
import type { GridOutlook } from "../../grid/outlook.ts";
import type { GridScene } from "../../grid/scene.ts";
import type { PricedNight, RateRow } from "./row.ts";

/** Where the picture of prices begins, as a part of the lowest one: from 0 on all would look alike. */
export const FOOT = 0.8;

/** The lowest price in the property's currency that is on sale on each night, of one night and the usual number of guests. */
export function priceOutlook({ property: { currency }, days }: GridScene, rows: readonly RateRow[]): GridOutlook {
  const values = lowestOfEach(days.length, rows, currency);
  const word = (minor: number) => readableAmount(minor, currency);
  const json = (minor: number) => ({ price: formatAmount(minor, currency), currency });
  const title = `Lowest price on ${days.length} nights`;
  return { values, foot: Math.floor((lowest(values) ?? 0) * FOOT), title, word, json, unit: currency, none: "nothing on sale" };
}

/** Apart from the functions of an outlook, which would keep all rows as long as it lives. */
function lowestOfEach(count: number, rows: readonly RateRow[], currency: string): (number | undefined)[] {
  return Array.from({ length: count }, (_, index) => lowest(rows.map(({ nights }) => priceOn(nights[index]!, currency))));
}

function priceOn({ sale, price }: PricedNight, currency: string): number | undefined {
  return sale === "sellable" && price?.currency === currency && price.nights <= 1 ? price.minor : undefined;
}

function lowest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
