import { formatAmount, wholeAmount } from "../../calendar/money.ts";
import type { Price } from "../../calendar/price.ts";
import { type PricedNight, roomsLeft } from "../../calendar/sale.ts";
import type { SaleState } from "../../calendar/verdict.ts";
import type { ComparedRows } from "../../grid/compare.ts";
import { nightBadges, nightSymbol, saleBadge } from "../../grid/legend.ts";
import type { SaleNight } from "../../grid/selection-summary.ts";
import { codeBadge, gapContent, type GridCell, type NightState } from "../../grid/table.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../web/html.ts";
import type { RateRow } from "./row.ts";

const CELL_STATES: Readonly<Record<SaleState, NightState>> = {
  sellable: "sellable",
  "not active": "closed",
  "hotel closed": "closed",
  "stop sell": "closed",
  "not opened": "closed",
  "no count": "open",
  "sold out": "zero",
  "no price": "open",
  "beyond horizon": "open",
  past: "open",
};

/** A price for several nights has a different unit, so that it isn't compared with prices for one night. */
export const comparedRates: ComparedRows<RateRow> = {
  nightOf: ({ nights }, index) => {
    const { received, price, verdict } = nights[index]!;
    const state = received ? CELL_STATES[verdict.state] : "gap";
    return price ? { value: price.minor, unit: priceUnit(price), state } : { value: undefined, unit: "", state };
  },
  format: (minor, unit) => wholeAmount(minor, unit.slice(0, CURRENCY_LENGTH)),
  json: (minor, unit) => formatAmount(minor, unit.slice(0, CURRENCY_LENGTH)),
};

const CURRENCY_LENGTH = 3;

/** Leaves out prices for several nights. */
export function saleOfRate({ nights, counted }: RateRow, index: number): SaleNight {
  const { price, verdict } = nights[index]!;
  return { verdict, rooms: roomsLeft(counted[index]!), price: price && price.nights <= 1 ? price : undefined };
}

function priceUnit({ currency, tax, nights }: Price): string {
  return [currency, tax === "before" ? "net" : "", nights > 1 ? `${nights} nights` : ""].filter((part) => part !== "").join(" ");
}

/** How a view shows prices. `currency` is in the row's heading, and `format` omits decimals if all prices are whole. */
export type PriceStyle = { currency: string; format(minor: number, currency: string): string };

/** An ordinary night shows only its price. */
export function rateCell(night: PricedNight, style: PriceStyle): GridCell {
  if (!night.received) return { state: "gap", content: gapContent };
  return {
    state: CELL_STATES[night.verdict.state],
    content: html`${priceText(night.price, style)}${saleBadge(night.verdict)}${nightBadges(["allotment", "restrictions"], night.rate)}`,
  };
}

/** Used in narrow columns. Shows the price, and one symbol that represents everything else. */
export function rateSymbol(night: PricedNight, style: PriceStyle): GridCell {
  if (!night.received) return { state: "gap", content: gapContent };
  const price = night.price && html`<b>${withLineBreaks(style.format(night.price.minor, night.price.currency))}</b>`;
  const symbol = nightSymbol(night.verdict, ["allotment", "restrictions"], night.rate);
  return { state: CELL_STATES[night.verdict.state], content: html`${price ?? emptyHtml}${symbol}` };
}

function priceText(price: Price | undefined, { currency, format }: PriceStyle): Html {
  if (!price) return emptyHtml;
  const otherCurrency = price.currency === currency ? emptyHtml : html` <small>${price.currency}</small>`;
  const beforeTax = price.tax === "before" ? codeBadge("NET") : emptyHtml;
  const stay = price.nights > 1 ? codeBadge(`${price.nights} N`) : emptyHtml;
  return html`<b>${withLineBreaks(format(price.minor, price.currency))}</b>${otherCurrency}${beforeTax}${stay}`;
}

/** Allows a line break in a large price after a comma or before its decimals. */
function withLineBreaks(amount: string): Html | string {
  return amount.includes(",") ? mapHtml(amount.split(/(?<=,)|(?=\.)/), (part, at) => html`${at > 0 && html`<wbr />`}${part}`) : amount;
}
