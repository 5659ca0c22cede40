import { isWholeAmount, readableAmount, wholeAmount } from "../../calendar/money.ts";
import { PROBLEM_BITS, problemNames } from "../../calendar/night-summary.ts";
import { mapHtml, html } from "../../web/html.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { gapContent, type GridCell, type NightState } from "../table.ts";
import type { Measure } from "./query.ts";
import type { PortfolioLine, PortfolioNight } from "./read.ts";

/** Short codes for problems, in display order. */
const PROBLEM_CODES = {
  closed: ["CLO", "every category is closed"],
  "stop sell": ["STOP", "stop sell in a category or rate plan"],
  "sold out": ["SOLD", "a category is sold out"],
  "no price": ["PRICE", "a category has no price"],
  "no count": ["COUNT", "a category has no count"],
} as const;

export const problemLegend = html`<dl class="legend portfolio-legend">
  ${mapHtml(
    Object.values(PROBLEM_CODES),
    ([code, meaning]) =>
      html`<div>
        <dt><i>${code}</i></dt>
        <dd>${meaning}</dd>
      </div>`,
  )}
</dl>`;

type DrawCell = (line: PortfolioLine) => (night: PortfolioNight) => GridCell;

/** For each measure, the function that draws a property's nights. */
export const DRAW_BY_MEASURE: Readonly<Record<Measure, DrawCell>> = {
  rooms: () => roomsCell,
  price: (line) => {
    const prices = line.nights.flatMap(({ price }) => price ?? []);
    const format = prices.every((price) => isWholeAmount(price, line.currency)) ? wholeAmount : readableAmount;
    return (night) => priceCell(night, (price) => format(price, line.currency));
  },
  problems: () => problemsCell,
};

function roomsCell(night: PortfolioNight): GridCell {
  const state = nightState(night);
  if (state === "closed") return { state, content: closedMark };
  if (night.rooms === undefined) return { state: "gap", content: gapContent };
  return { state: night.rooms === 0 ? "zero" : "sellable", content: html`${formatNumber(night.rooms)}` };
}

function priceCell(night: PortfolioNight, format: (price: number) => string): GridCell {
  const state = nightState(night);
  if (night.price !== undefined) return { state: "sellable", content: html`${format(night.price)}` };
  return state === "closed" ? { state, content: closedMark } : { state: state === "zero" ? state : "gap", content: gapContent };
}

function problemsCell(night: PortfolioNight): GridCell {
  const names = night.isOpen ? problemNames(night.problems) : [];
  if (names.length === 0) return { state: "sellable", content: html`<span class="muted">ok</span>` };
  const shownProblems = names.includes("closed") ? (["closed"] as const) : names;
  return { state: nightState(night), content: mapHtml(shownProblems, (name) => html`<i>${PROBLEM_CODES[name][0]}</i> `) };
}

const closedMark = html`<i>Closed</i>`;

function nightState({ problems, rooms }: PortfolioNight): NightState {
  if ((problems & PROBLEM_BITS.closed) !== 0) return "closed";
  return rooms === 0 || (problems & PROBLEM_BITS["sold out"]) !== 0 ? "zero" : "open";
}
