import { scaleLinear } from "d3-scale";
import { HOUR_MS } from "../../../calendar/night.ts";
import { type HourSpan } from "../../../errors/entry.ts";
import { sparkline } from "../../../grid/sparkline.ts";
import { html, type Html } from "../../../web/html.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import { withQuery } from "../../../web/path.ts";
import { LIST_PATH } from "./list-page.ts";

const HOURS_PER_DAY = 24;
const CHART_DAYS = 28;

export function sparklineSpan(now: number): HourSpan {
  return { first: Math.floor(now / HOUR_MS) - HOURS_PER_DAY + 1, hours: HOURS_PER_DAY };
}

/** Covers 29 days, so that 28 full days are included even if a day in the server's time zone has 25 hours. */
export function chartSpan(now: number): HourSpan {
  const hours = CHART_DAYS * HOURS_PER_DAY + HOURS_PER_DAY;
  return { first: Math.floor(now / HOUR_MS) - hours + 1, hours };
}

export function hourSparkline(counts: readonly number[]): Html {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return html`<span class="muted">none</span>`;
  const title = `Last 24 hours: ${formatCount(total, "entry", "entries")}, peak ${formatNumber(Math.max(...counts))} per hour`;
  return sparkline({ values: counts, baseline: 0, title });
}

export type DayCount = { day: string; count: number };

export function countDays(counts: readonly number[], span: HourSpan, now: number): DayCount[] {
  const today = Temporal.PlainDate.from(localDay(now));
  const days = new Map(Array.from({ length: CHART_DAYS }, (_, index) => [today.subtract({ days: CHART_DAYS - 1 - index }).toString(), 0]));
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const day = localDay((span.first + index) * HOUR_MS);
    if (days.has(day)) days.set(day, days.get(day)! + count);
  }
  return [...days].map(([day, count]) => ({ day, count }));
}

function localDay(at: number): string {
  return localMoment(at).slice(0, "YYYY-MM-DD".length);
}

const CHART_WIDTH = 560;
const CHART_HEIGHT = 80;
const BAR = CHART_WIDTH / CHART_DAYS;

export function dayChart(days: readonly DayCount[], group: number): Html {
  const peak = Math.max(...days.map(({ count }) => count), 1);
  const total = days.reduce((sum, { count }) => sum + count, 0);
  return html`<figure class="trend">
      <svg viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" role="img" preserveAspectRatio="none">
        <title>Last ${CHART_DAYS} days: ${formatCount(total, "entry", "entries")}, peak ${formatNumber(peak)} per day</title>
        ${dayBars(days, peak)}
      </svg>
      <figcaption>
        <span>${days[0]!.day}</span>
        <strong>${formatCount(total, "entry", "entries")} in ${CHART_DAYS} days, peak ${formatNumber(peak)} per day</strong>
        <span>${days.at(-1)!.day}</span>
      </figcaption>
    </figure>
    <details>
      <summary>Show as table</summary>
      ${columnTable({ label: `Last ${CHART_DAYS} days` }, dayColumns(group), days.toReversed())}
    </details>`;
}

function dayBars(days: readonly DayCount[], peak: number): Html[] {
  const y = scaleLinear([0, peak], [0, CHART_HEIGHT - 1]);
  return days.map(({ day, count }, index) => {
    const height = count === 0 ? 0 : Math.max(2, y(count));
    return html`<rect
      x="${(index * BAR + 1).toFixed(1)}"
      y="${(CHART_HEIGHT - height).toFixed(1)}"
      width="${(BAR - 2).toFixed(1)}"
      height="${height.toFixed(1)}"
    >
      <title>${day}: ${formatNumber(count)}</title>
    </rect>`;
  });
}

function dayColumns(group: number): readonly Column<DayCount>[] {
  const link = (day: string) => html`<a href="${withQuery(LIST_PATH, { group, from: day, to: day })}">${day}</a>`;
  return [
    { head: "Day", cell: ({ day, count }) => (count === 0 ? day : link(day)) },
    { head: { number: "Entries" }, cell: ({ count }) => formatNumber(count) },
  ];
}
