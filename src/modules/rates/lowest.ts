import type { PricedNight } from "../../calendar/sale.ts";
import type { RateRow } from "./row.ts";

/** Returns the lowest price of each sellable night, in minor units of `currency`. */
export function lowestPrices(count: number, rows: readonly RateRow[], currency: string): (number | undefined)[] {
  return Array.from({ length: count }, (_, index) => lowestValue(rows.map(({ nights }) => sellablePrice(nights[index]!, currency))));
}

function sellablePrice({ verdict, price }: PricedNight, currency: string): number | undefined {
  return verdict.state === "sellable" && price?.currency === currency && price.nights <= 1 ? price.minor : undefined;
}

function lowestValue(values: readonly (number | undefined)[]): number | undefined {
  const knownPrices = values.filter((value) => value !== undefined);
  return knownPrices.length === 0 ? undefined : Math.min(...knownPrices);
}
