import { readableAmount } from "../../calendar/money.ts";
import { PROBLEM_BITS } from "../../calendar/night-summary.ts";
import { formatNight, todayIn } from "../../calendar/night.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { exportLinks } from "../../web/parts/list.ts";
import { withQuery } from "../../web/path.ts";
import type { GridContext } from "../context.ts";
import { toDay } from "../day.ts";
import { DRAW_BY_MEASURE, problemLegend } from "../portfolio/cell.ts";
import { MEASURE_CHOICES, type Measure } from "../portfolio/query.ts";
import type { PortfolioNight } from "../portfolio/read.ts";
import { gapContent, type GridCell } from "../table.ts";
import type { YearMonth } from "./read.ts";

type YearView = {
  base: Path;
  title: "Inventories" | "Rates";
  property: GridContext["property"];
  measure: Measure;
  months: readonly YearMonth[];
  now: number;
};

/** Shows one row per month and one column per day, shaded by the measure. */
export function yearPage(shown: YearView): Page {
  const { base, title, property, measure, months, now } = shown;
  const own = { property: property.code, view: "year", show: measure };
  const from = `${months[0]!.month}-01`;
  return {
    title,
    subject: property.name,
    wide: true,
    actions: exportLinks((format) => withQuery(base, { ...own, from, format })),
    main: html`<nav class="grid-nav" aria-label="Months">
        <ul>
          <li><a href="${withQuery(base, { ...own, from: yearsFrom(from, -1) })}" rel="prev">Previous year</a></li>
          <li><a href="${withQuery(base, own)}">Today</a></li>
          <li><a href="${withQuery(base, { ...own, from: yearsFrom(from, 1) })}" rel="next">Next year</a></li>
        </ul>
        <ul aria-label="Show">
          ${mapHtml(MEASURE_CHOICES, ([value, label]) => measureItem(withQuery(base, { ...own, show: value, from }), label, value === measure))}
        </ul>
        <ul aria-label="View">
          <li><a href="${withQuery(base, { property: property.code })}">Grid</a></li>
          <li><span aria-current="true">Year</span></li>
        </ul>
      </nav>
      ${heatMap(shown, todayIn(property.timeZone, now))} ${key(measure)}`,
  };
}

function yearsFrom(date: string, years: number): string {
  return `${Number(date.slice(0, 4)) + years}${date.slice(4)}`;
}

function measureItem(to: Path, label: string, isCurrent: boolean): Html {
  return html`<li>${isCurrent ? html`<span aria-current="true">${label}</span>` : html`<a href="${to}">${label}</a>`}</li>`;
}

const DAYS_OF_MONTH = Array.from({ length: 31 }, (_, index) => index + 1);

function heatMap({ title, property, measure, months }: YearView, today: number): Html {
  const label = MEASURE_CHOICES.find(([value]) => value === measure)![1];
  const caption = `${label} at ${property.name} over twelve months`;
  const nights = months.flatMap((month) => month.nights);
  const toShade = shadeScale(nights.map((night) => measuredValue(measure, night)));
  const draw = DRAW_BY_MEASURE[measure === "price" ? "rooms" : measure]({ ...property, lastMessageAt: undefined, nights });
  const drawCell = (night: PortfolioNight) => (measure === "price" ? priceCell(night, property.currency) : draw(night));
  return html`<section class="grid-scroll" aria-label="${caption}" tabindex="0">
    <table class="heat">
      <caption class="visually-hidden">
        ${title}: ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          ${mapHtml(DAYS_OF_MONTH, (day) => html`<th scope="col">${day}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${mapHtml(
          months,
          (month) =>
            html`<tr>
              <th scope="row">${monthName(month, today)}</th>
              ${mapHtml(month.nights, (night) => nightCell(property.code, { night, today, cell: drawCell(night), shade: toShade(measuredValue(measure, night)) }))}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** Formats a month, such as `Dec 2026`. */
function monthName({ nights }: YearMonth, today: number): string {
  return toDay(nights[0]!.night, today).month.replace(/^(...)\w*/, "$1");
}

type NightCell = { night: PortfolioNight; today: number; cell: GridCell; shade: number | undefined };

function nightCell(code: string, { night: { night }, today, cell, shade }: NightCell): Html {
  const { weekend } = toDay(night, today);
  const state = ["sellable", "open"].includes(cell.state) ? "" : cell.state;
  const classes = [state, shade === undefined ? "" : `shade-${shade}`, weekend ? "weekend" : "", night === today ? "today" : ""].filter(
    Boolean,
  );
  const attribute = classes.length === 0 ? emptyHtml : html` class="${classes.join(" ")}"`;
  return html`<td${attribute}><a href="?at=${encodeURIComponent(code)}/${formatNight(night)}">${cell.content}</a></td>`;
}

/** Omits decimals, because cells are narrow. */
function priceCell({ price, problems }: PortfolioNight, currency: string): GridCell {
  if (price === undefined) return { state: (problems & PROBLEM_BITS.closed) === 0 ? "gap" : "closed", content: gapContent };
  return { state: "sellable", content: html`${readableAmount(price, currency).replace(/\.\d+$/, "")}` };
}

function measuredValue(measure: Measure, { rooms, price }: PortfolioNight): number | undefined {
  if (measure === "price") return price;
  return measure === "rooms" && rooms !== 0 ? rooms : undefined;
}

const SHADE_COUNT = 5;

/** Returns a value's shade, from 0 for the lowest to 4 for the highest. */
function shadeScale(values: readonly (number | undefined)[]): (value: number | undefined) => number | undefined {
  const knownValues = values.filter((value) => value !== undefined);
  const [low, high] = [Math.min(...knownValues), Math.max(...knownValues)];
  return (value) => {
    if (value === undefined) return undefined;
    return high === low ? 0 : Math.min(SHADE_COUNT - 1, Math.floor((SHADE_COUNT * (value - low)) / (high - low)));
  };
}

function key(measure: Measure): Html {
  if (measure === "problems") return problemLegend;
  const steps = Array.from({ length: SHADE_COUNT }, (_, shade) => html`<span class="heat-key shade-${shade}"></span>`);
  return html`<p class="hint">
    lowest <span aria-hidden="true">${mapHtml(steps, (step) => step)}</span> highest. Select a night to open it in the grid.
  </p>`;
}
