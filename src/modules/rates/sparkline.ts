import { readableAmount } from "../../calendar/money.ts";
import type { PricedNight } from "../../calendar/sale.ts";
import { rangeText, sparkline } from "../../grid/sparkline.ts";
import { type Html, html } from "../../web/html.ts";

/** The baseline as a share of the lowest price. With a baseline of 0, all prices would look alike. */
const BASELINE = 0.8;

export function planSparkline(nights: readonly PricedNight[], currency: string): Html {
  const values = nights.map(({ price }) => (price?.currency === currency ? price.minor : undefined));
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return html``;
  const range = rangeText(readableAmount(Math.min(...known), currency), readableAmount(Math.max(...known), currency));
  return sparkline({ values, baseline: baselineOf(values), title: `Price: ${range} ${currency}` });
}

function baselineOf(values: readonly (number | undefined)[]): number {
  return Math.floor((lowest(values) ?? 0) * BASELINE);
}

function lowest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
