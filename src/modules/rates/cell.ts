import { readableAmount } from "../../calendar/money.ts";
import type { Price } from "../../calendar/price.ts";
import type { PricedNight } from "../../calendar/sale.ts";
import { SALE_STATES, type SaleState } from "../../calendar/verdict.ts";
import { nightBadges } from "../../grid/legend.ts";
import { badge, gapContent, type GridCell, type NightState } from "../../grid/table.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";

const STATES: Readonly<Record<SaleState, NightState>> = {
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

/** `currency` is shown in the row head, so a cell shows its currency only if it differs. */
export function rateCell(night: PricedNight, currency: string): GridCell {
  if (!night.received) return { state: "gap", content: gapContent };
  return {
    state: STATES[night.verdict.state],
    content: html`${priceText(night.price, currency)}${each(nightBadges(["allotment", "restrictions"], night.rate), badge)}${saleBadge(night)}`,
  };
}

/** A stop sell of the night itself already has a restriction badge. */
function saleBadge({ verdict, rate }: PricedNight): Html {
  const state = SALE_STATES[verdict.state];
  return "badge" in state && !(verdict.state === "stop sell" && rate.stopSell) ? badge(state.badge) : nothing;
}

function priceText(price: Price | undefined, currency: string): Html {
  if (!price) return nothing;
  const otherCurrency = price.currency === currency ? nothing : html` <small>${price.currency}</small>`;
  const beforeTax = price.tax === "before" ? badge("NET") : nothing;
  const stay = price.nights > 1 ? badge(`${price.nights} N`) : nothing;
  return html`<b>${breakable(readableAmount(price.minor, price.currency))}</b>${otherCurrency}${beforeTax}${stay}`;
}

/** Lets a large price wrap after a comma or before its decimals. */
function breakable(amount: string): Html | string {
  return amount.includes(",") ? each(amount.split(/(?<=,)|(?=\.)/), (part, at) => html`${at > 0 && html`<wbr />`}${part}`) : amount;
}
