import { formatAmount, readableAmount } from "../../calendar/money.ts";
import type { PricedNight } from "../../calendar/sale.ts";
import type { GridContext } from "../../grid/context.ts";
import type { PropertySparkline } from "../../grid/overview.ts";
import type { RateRow } from "./row.ts";

/** The baseline as a share of the lowest price. With a baseline of 0, all prices would look alike. */
const BASELINE = 0.8;

export function lowestPriceSparkline({ property: { currency }, days }: GridContext, rows: readonly RateRow[]): PropertySparkline {
  const values = lowestPrices(days.length, rows, currency);
  return {
    values,
    baseline: baselineOf(values),
    title: `Lowest price, ${days.length} nights`,
    format: (minor) => readableAmount(minor, currency),
    json: (minor) => ({ price: formatAmount(minor, currency), currency }),
    unit: currency,
    emptyText: "nothing sellable",
  };
}

/** A separate function, because closures in the same scope would keep the rows in memory with the sparkline. */
export function lowestPrices(count: number, rows: readonly RateRow[], currency: string): (number | undefined)[] {
  return Array.from({ length: count }, (_, index) => lowest(rows.map(({ nights }) => sellablePrice(nights[index]!, currency))));
}

function sellablePrice({ verdict, price }: PricedNight, currency: string): number | undefined {
  return verdict.state === "sellable" && price?.currency === currency && price.nights <= 1 ? price.minor : undefined;
}

function baselineOf(values: readonly (number | undefined)[]): number {
  return Math.floor((lowest(values) ?? 0) * BASELINE);
}

function lowest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
