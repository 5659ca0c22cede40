import { readableAmount } from "../../calendar/money.ts";
import { gridLegend, tagSign } from "../../grid/legend.ts";
import type { Problem } from "../../grid/query.ts";
import { chosenNight, type GridScene, inactiveBadge, nightLinks } from "../../grid/scene.ts";
import { rangeText, stripPicture } from "../../grid/strip.ts";
import { cellsOf, type GridRow } from "../../grid/table.ts";
import { type Html, html, nothing } from "../../web/html.ts";
import { countedEach } from "../../web/parts/amount.ts";
import { rateCell } from "./cell.ts";
import { FOOT } from "./outlook.ts";
import type { PricedNight, RateRow, SaleState } from "./row.ts";
import { REASONS } from "./sale.ts";
import type { RatePlan } from "./store.ts";

/** The rows of the grid. `plans` are what is known of the rate plans. */
export function rateGridRows(scene: GridScene, rows: readonly RateRow[], plans: readonly RatePlan[]): GridRow[] {
  const known = new Map(plans.map((plan) => [plan.code, plan]));
  const linkOf = nightLinks(scene);
  return rows.map((row, index) =>
    gridRow(scene, row, { plan: known.get(row.plan), first: rows[index - 1]?.category !== row.category, linkOf }),
  );
}

const CLOSED: readonly SaleState[] = ["not active", "hotel closed", "stop sell", "not opened"];

/** Whether a night of the row has such a problem: a missing price is a gap; a zero is a price of 0 or no room left. */
export function hasProblem({ nights }: RateRow, only: Problem): boolean {
  return nights.some((night) => isProblem(night, only));
}

function isProblem({ received, price, sale }: PricedNight, only: Problem): boolean {
  if (only === "gaps") return !received || price === undefined;
  if (only === "zero") return price?.minor === 0 || sale === "sold out";
  return CLOSED.includes(sale);
}

/** `first`: the first row of its category. */
type RowFrame = { plan: RatePlan | undefined; first: boolean; linkOf: ReturnType<typeof nightLinks> };

function gridRow(scene: GridScene, row: RateRow, frame: RowFrame): GridRow {
  const { category, plan, nights } = row;
  const { first } = frame;
  const currency = nights.find(({ price }) => price)?.price?.currency ?? scene.property.currency;
  const place = { category: category.code, plan, room: "" };
  return {
    level: first ? "category" : "part",
    label: `${category.code}, ${plan === "" ? "no rate plan" : plan}`,
    ...(first && { group: html`${categoryHead(category)}${inactiveBadge(scene, category)}` }),
    head: html`${planHead(row, currency)}${frame.plan ? aboutPlan(frame.plan) : nothing}`,
    link: frame.linkOf(place),
    chosen: chosenNight(scene, place),
    cells: cellsOf(nights, (night) => rateCell(night, currency)),
  };
}

function planHead({ category, plan, nights }: RateRow, currency: string): Html {
  const group = html`<span class="visually-hidden">${category.code} </span>`;
  const name = html`<b>${plan === "" ? "no rate plan" : plan}</b> <small>${currency}</small>`;
  return html`${group}<span class="plan line"><span>${name}</span> ${picture(nights, currency)}</span>`;
}

function categoryHead({ code, name }: { code: string; name: string }): Html {
  return html`<b>${code}</b> ${name === code ? nothing : html`<span class="muted">${name}</span>`}`;
}

function aboutPlan(plan: RatePlan): Html {
  const { code, name, details } = plan;
  const extras = countedEach({ supplement: details.supplements, offer: details.offers });
  return html`${name === undefined || name === code ? nothing : html` <span class="name">${name}</span>`}${
    extras === "" ? nothing : html` <span class="name">${extras}</span>`
  }`;
}

function picture(nights: readonly PricedNight[], currency: string): Html {
  const values = nights.map(({ price }) => (price?.currency === currency ? price.minor : undefined));
  const known = values.filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  if (known.length < 2) return nothing;
  const title = `Price: ${rangeText(readableAmount(low, currency), readableAmount(high, currency))} ${currency}`;
  return stripPicture({ values, foot: Math.floor(low * FOOT), title });
}

const CODES: readonly (readonly [code: string, meaning: string])[] = [
  ["NET", "before tax, because no amount after tax was received"],
  ["7 N", "price of a stay of 7 nights, because none of one night was received"],
  ["MIN 2", "at least 2 nights for who arrives"],
  ["MAX 7", "at most 7 nights for who arrives"],
  ["MIN-T 2", "at least 2 nights for every stay through this night"],
  ["MAX-T 7", "at most 7 nights for every stay through this night"],
  ["CTA", "closed to arrival"],
  ["CTD", "closed to departure"],
  ["SS", "stop sell"],
  ["ADV 3-30", "booked 3 to 30 days before arrival"],
  ["PAT NYYN", "lengths of stay that may arrive: 1 night no, 2 yes, 3 yes, 4 no"],
];

/** What the codes of the cells mean. */
export function rateLegend(assumeOpen: boolean): Html {
  const price = "price after tax for the standard number of guests, or the nearest one received";
  const unsaid = `nothing received; counts as ${assumeOpen ? "open" : "closed"} here`;
  const { "not opened": neverOpened, ...reasons } = REASONS;
  return gridLegend(
    [
      { cell: "open", shows: html`<b>120.00</b>`, means: price },
      { cell: "sellable", shows: nothing, means: "sellable: not past, open, with a room left and a price" },
      { cell: "gap", shows: html`&ndash;`, means: unsaid },
      ...[...CODES, ...Object.values(reasons), ...(assumeOpen ? [] : [neverOpened])].map(([code, meaning]) => tagSign(code, meaning)),
    ],
    "Each cell leads to the history of its night, with the amounts for other numbers of guests.",
  );
}
