import { isWholeAmount, readableAmount, roundedAmount, wholeAmount } from "../../calendar/money.ts";
import { isClosedState, SALE_STATES, type SaleState, type Verdict } from "../../calendar/verdict.ts";
import { type GridContext, inactiveBadge } from "../../grid/context.ts";
import { badgeEntries, badgeEntry, gridLegend, type LegendEntry, saleEntries, symbolEntries } from "../../grid/legend.ts";
import { nightLinks, selectedDate } from "../../grid/links.ts";
import { isDense, type RowFilter } from "../../grid/query.ts";
import { drawCells, gapContent, type GridCell, type GridRow, type GridTotal } from "../../grid/table.ts";
import { freeRoomsCell, freeRoomsTotal, soldOutTotal } from "../../grid/totals.ts";
import { type Html, html, emptyHtml } from "../../web/html.ts";
import { listCounts } from "../../web/parts/amount.ts";
import { type PriceStyle, rateCell, rateSymbol } from "./cell.ts";
import { lowestPrices } from "./lowest.ts";
import type { RateRow } from "./row.ts";
import type { RatePlan } from "./store.ts";

export function rateGridRows(context: GridContext, rows: readonly RateRow[], plans: readonly RatePlan[]): GridRow[] {
  const plansByCode = new Map(plans.map((plan) => [plan.code, plan]));
  const nightLink = nightLinks(context);
  const isDenseGrid = isDense(context.query);
  const style = { format: isDenseGrid ? roundedAmount : priceFormat(rows), draw: isDenseGrid ? rateSymbol : rateCell };
  return rows.map((row, index) => {
    const { category, plan, nights, counted } = row;
    const isFirst = rows[index - 1]?.category !== category;
    const currency = nights.find(({ price }) => price)?.price?.currency ?? context.property.currency;
    const place = { category: category.code, plan, room: "" };
    return {
      level: isFirst ? "category" : "part",
      label: `${category.code}, ${plan === "" ? "no rate plan" : plan}`,
      ...(isFirst && { group: { head: categoryHead(category), cells: drawCells(counted, freeRoomsCell) } }),
      head: html`${planHead(row, currency)}${planDetails(plansByCode.get(plan))}`,
      link: nightLink(place),
      selected: selectedDate(context, place),
      cells: drawCells(nights, (night) => style.draw(night, { currency, format: style.format })),
    };
  });
}

/** Returns a format that omits decimals if every price is whole. */
function priceFormat(rows: readonly RateRow[]): PriceStyle["format"] {
  const areWholeAmounts = rows.every(({ nights }) =>
    nights.every(({ price }) => price === undefined || isWholeAmount(price.minor, price.currency)),
  );
  return areWholeAmounts ? wholeAmount : readableAmount;
}

/** Returns whether a row matches a filter. A night without a price is a gap. Zero means a price of 0 or no rooms left. */
export function matchesFilter({ nights }: RateRow, filter: RowFilter): boolean {
  return nights.some(({ received, price, verdict }) => {
    if (filter === "gaps") return !received || price === undefined;
    if (filter === "zero") return price?.minor === 0 || verdict.state === "sold out";
    return isClosedState(verdict.state);
  });
}

function planHead({ category, plan }: RateRow, currency: string): Html {
  return html`<span class="visually-hidden">${category.code} </span><b>${plan === "" ? "no rate plan" : plan}</b>
    <small>${currency}</small>`;
}

function categoryHead(category: RateRow["category"]): Html {
  const { code, name } = category;
  const fullName = name === code ? emptyHtml : html` <span class="name" title="${name}">${name}</span>`;
  return html`<b>${code}</b> <small>free rooms</small>${inactiveBadge(category)}${fullName}`;
}

/** Returns totals for the whole property. Empty if the grid is filtered or has fewer than two rows. */
export function rateTotals({ query, days, property }: GridContext, rows: readonly RateRow[]): GridTotal[] {
  if (query.only !== undefined || query.plan !== "" || rows.length < 2) return [];
  const countedByCategory = new Map(
    rows.filter(({ category }) => category.inactive === undefined).map(({ category, counted }) => [category.code, counted]),
  );
  const { currency } = property;
  const format = isDense(query) ? roundedAmount : priceFormat(rows);
  const lowest = lowestPrices(days.length, rows, currency).map((minor): GridCell => ({
    state: "sellable",
    content: minor === undefined ? gapContent : html`${format(minor, currency)}`,
  }));
  const categories = [...countedByCategory.values()];
  const counts = categories.length < 2 ? [] : [freeRoomsTotal(days.length, categories), soldOutTotal(days.length, categories)];
  return [...counts, { head: html`Lowest price <small>${currency}</small>`, cells: lowest }];
}

function planDetails(plan: RatePlan | undefined): Html {
  if (!plan) return emptyHtml;
  const { code, name, details } = plan;
  const extras = listCounts({ supplement: details.supplements, offer: details.offers });
  return html`${name === undefined || name === code ? emptyHtml : html` <span class="name">${name}</span>`}${
    extras === "" ? emptyHtml : html` <span class="name">${extras}</span>`
  }`;
}

export function rateLegend({ query, property: { assumeOpen } }: GridContext): Html {
  const states = (Object.keys(SALE_STATES) as SaleState[]).filter((state) => state !== "not opened" || !assumeOpen);
  return gridLegend(
    query,
    [
      { shows: html`<b>120</b>`, meaning: "for sale; price after tax for the standard occupancy, or the nearest price received" },
      { cell: "gap", shows: html`&ndash;`, meaning: `no data; treated as ${assumeOpen ? "open" : "closed"}` },
      ...(isDense(query) ? symbolEntries(["allotment", "restrictions"]) : badgeLegend(states)),
    ],
    "Select a cell for its history and the amounts for other numbers of guests.",
  );
}

function badgeLegend(states: readonly SaleState[]): LegendEntry[] {
  return [
    badgeEntry("NET", "before tax, because no amount after tax was received"),
    badgeEntry("7 N", "price of a 7-night stay, because no one-night price was received"),
    ...badgeEntries(["allotment", "restrictions"]),
    ...saleEntries(states),
  ];
}

/**
 * Returns the selected night's verdict, or undefined if its row is not shown. Also undefined if only the price is missing in the row
 * without a rate plan, because prices belong to rate plans.
 */
export function selectedVerdict(context: GridContext, rows: readonly RateRow[]): Verdict | undefined {
  const { night, nightRow } = context.query;
  const row = rows.find(({ category, plan }) => category.code === nightRow.category && plan === nightRow.plan);
  const selectedNight = night === undefined ? undefined : row?.nights[night - context.first];
  if (nightRow.plan === "" && selectedNight?.verdict.state === "no price") return undefined;
  return selectedNight?.verdict;
}
