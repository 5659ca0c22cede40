import { readableAmount } from "../../calendar/money.ts";
import { gapContent, type GridCell, type NightState, tag } from "../../grid/table.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Price } from "./price.ts";
import { restrictionBadges } from "./restriction.ts";
import type { PricedNight, SaleState } from "./row.ts";
import { REASONS } from "./sale.ts";

/** How each state is drawn. */
const STATES: Readonly<Record<SaleState, NightState>> = {
  sellable: "sellable",
  "not active": "closed",
  "hotel closed": "closed",
  "stop sell": "closed",
  "not opened": "closed",
  "no count": "open",
  "sold out": "zero",
  "no price": "open",
  past: "open",
};

/** Says why a night cannot be sold, unless a restriction of the night itself has said it. */
const MARKS: ReadonlyMap<string, Html> = new Map(Object.entries(REASONS).map(([sale, [code]]) => [sale, tag(code)] as const));

/** A night as its cell: price, restrictions and whether it can be sold. `currency` stands in the row's head; another one in the cell. */
export function rateCell(night: PricedNight, currency: string): GridCell {
  if (!night.received) return { state: "gap", content: gapContent };
  const said = night.sale === "stop sell" && night.rate.stopSell;
  const sale = said ? undefined : MARKS.get(night.sale);
  return {
    state: STATES[night.sale],
    content: html`${priceText(night.price, currency)}${each(restrictionBadges(night.rate), tag)}${sale ?? nothing}`,
  };
}

function priceText(price: Price | undefined, currency: string): Html {
  if (!price) return nothing;
  const other = price.currency === currency ? nothing : html` <small>${price.currency}</small>`;
  const net = price.tax === "before" ? tag("NET") : nothing;
  const stay = price.nights > 1 ? tag(`${price.nights} N`) : nothing;
  return html`<b>${breakable(readableAmount(price.minor, price.currency))}</b>${other}${net}${stay}`;
}

/** A price of thousands may be wider than its cell; it then goes on below after a comma or before its decimals. */
function breakable(amount: string): Html | string {
  return amount.includes(",") ? each(amount.split(/(?<=,)|(?=\.)/), (part, at) => html`${at > 0 && html`<wbr />`}${part}`) : amount;
}
