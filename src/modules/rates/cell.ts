import { readableAmount } from "../../calendar/money.ts";
import { gapContent, type GridCell, type NightState } from "../../grid/table.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Price } from "./price.ts";
import { restrictionCodes } from "./restriction.ts";
import type { PricedNight, SaleState } from "./row.ts";

/** The tick is drawn by the stylesheet. */
export const sellableMark = html` <span class="sale"><span class="visually-hidden">sellable</span></span>`;

/** How each state is drawn, and the code that says it, unless a restriction of the night itself has said it. */
const SALE: Readonly<Record<SaleState, { state: NightState; mark: Html }>> = {
  sellable: { state: "open", mark: sellableMark },
  "not active": { state: "closed", mark: mark("INACTIVE") },
  "hotel closed": { state: "closed", mark: mark("CLOSED") },
  "stop sell": { state: "closed", mark: mark("STOPPED") },
  "not opened": { state: "closed", mark: mark("NOT OPEN") },
  "no count": { state: "open", mark: mark("NO COUNT") },
  "sold out": { state: "zero", mark: mark("SOLD OUT") },
  "no price": { state: "open", mark: mark("NO PRICE") },
  past: { state: "open", mark: nothing },
};

/** A night as its cell: price, restrictions and whether it can be sold. `currency` stands in the row's head; another one in the cell. */
export function rateCell(night: PricedNight, currency: string): GridCell {
  if (!night.received) return { state: "gap", content: gapContent };
  const { state, mark: sale } = SALE[night.sale];
  const said = night.sale === "stop sell" && night.rate.stopSell;
  return { state, content: html`${priceText(night.price, currency)}${each(restrictionCodes(night.rate), mark)}${said ? nothing : sale}` };
}

function mark(code: string): Html {
  return html` <span class="tag">${code}</span>`;
}

function priceText(price: Price | undefined, currency: string): Html {
  if (!price) return nothing;
  return html`<b>${readableAmount(price.minor, price.currency)}</b
    >${price.currency === currency ? nothing : html` <small>${price.currency}</small>`}${
      price.tax === "before" ? mark("NET") : nothing
    }${price.nights > 1 ? mark(`${price.nights} N`) : nothing}`;
}
