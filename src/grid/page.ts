import { DAY_MS } from "../calendar/night.ts";
import type { Choices } from "../text.ts";
import { type Html, html, emptyHtml } from "../web/html.ts";
import type { Page } from "../web/page.ts";
import { formatNumber } from "../web/parts/amount.ts";
import { ifAllowed } from "../web/parts/if-allowed.ts";
import { exportLinks } from "../web/parts/list.ts";
import { momentHtml, momentAtProperty } from "../web/parts/moment.ts";
import { path, withQuery } from "../web/path.ts";
import { gridCalendars } from "./calendar.ts";
import { compareBanner, comparePopover, type ShownComparison } from "./compare-page.ts";
import type { GridContext } from "./context.ts";
import { gridForm, gridNavigation } from "./form.ts";
import { gridLink, pastLink } from "./links.ts";
import { gridList, type GridRow, gridTable, type GridTotal } from "./table.ts";

/** The content of a grid. `plans` is undefined if the grid cannot be filtered by rate plan. */
export type GridContent = { plans: Choices | undefined; rows: readonly GridRow[]; totals: readonly GridTotal[]; legend: Html };

type GridParts = GridContent & {
  title: "Inventories" | "Rates";
  /** Start of the stored history, in milliseconds since 1970. */
  historyStart: number | undefined;
  panel: Html;
  comparison: ShownComparison | undefined;
};

export function gridPage(context: GridContext, parts: GridParts): Page {
  const { query, categories, property } = context;
  return {
    title: parts.title,
    subject: property.name,
    wide: true,
    withoutLists: true,
    refused: Object.keys(query.faults).length > 0,
    actions: exportLinks((format) => gridLink(context, { format })),
    main: html`${gridForm(context, parts.plans)} ${pastBanner(context, parts.historyStart)} ${compareBanner(context, parts.comparison)}
    ${parts.panel} ${gridNavigation(context)} ${gridBody(context, parts)}
    ${categories.length === 0 ? emptyHtml : html`${comparePopover(context)} ${parts.legend}`}`,
  };
}

const VIEW_RENDERERS = { grid: gridTable, list: gridList, calendar: gridCalendars };

/** Maximum number of rows shown on a page. CSV and JSON include all rows. */
const MAX_ROWS = 400;

function gridBody(context: GridContext, { title, rows, totals, plans }: GridParts): Html {
  const { query, days, categories, property } = context;
  if (categories.length === 0) return noCategoriesHint(property.code);
  if (rows.length === 0) return noRowsHint(context);
  const shownRows = rows.slice(0, MAX_ROWS);
  const grid = { caption: `${title} for ${property.name}, ${days[0]!.iso} to ${days.at(-1)!.iso}`, days, rows: shownRows, totals };
  const isComplete = query.asOf === undefined && query.only === undefined;
  const isEmpty = isComplete && shownRows.every(({ cells }) => cells.every(({ state }) => state === "gap"));
  return html`${isEmpty ? noDataHint(context) : emptyHtml}${shownRows.length < rows.length ? tooManyRowsNotice(rows.length, plans) : emptyHtml}${VIEW_RENDERERS[query.view](grid)}`;
}

function noCategoriesHint(code: string): Html {
  return html`<div class="empty">
    <p>No categories yet. A category is a type of room that a property sells, such as a double room.</p>
    ${ifAllowed(html`<p><a class="button primary" href="${withQuery(path`/category/new`, { hotelCode: code })}">New category</a></p>`)}
  </div>`;
}

/** Explains why a grid has no rows. If the query has no filter, the only possible reason is an unknown rate plan. */
function noRowsHint(context: GridContext): Html {
  const { only, plan } = context.query;
  if (only !== undefined)
    return html`<p class="empty">No rows match this filter. <a href="${gridLink(context, { only: "" })}">Show all rows</a></p>`;
  return html`<p class="empty">
    This property has no rate plan <b>${plan}</b>. <a href="${gridLink(context, { plan: "" })}">Show all rate plans</a>
  </p>`;
}

function noDataHint(context: GridContext): Html {
  const { code } = context.property;
  const reason = noDataReason(context);
  const send = html` or <a href="${withQuery(path`/dev/channel`, { property: code })}">send one from the console</a>`;
  return html`<p class="notice">
    No data for these nights${reason}. View
    <a href="${withQuery(path`/dev/logs`, { property: code })}">this property's messages</a>${reason === "" ? ifAllowed(send) : emptyHtml}.
  </p>`;
}

function noDataReason({ property, first, days, today }: GridContext): string {
  if (first + days.length <= today) return ": past nights are deleted after a while";
  if (first <= today + property.horizonDays) return "";
  return `: this property stores nights up to ${formatNumber(property.horizonDays)} days ahead`;
}

function tooManyRowsNotice(rows: number, plans: GridParts["plans"]): Html {
  return html`<p class="notice warn">
    Showing the first ${MAX_ROWS} of ${formatNumber(rows)} rows. Select a category${plans ? " or a rate plan" : ""} to see the others.
  </p>`;
}

function pastBanner(context: GridContext, historyStart: number | undefined): Html {
  const { asOf } = context.query;
  if (asOf === undefined) return emptyHtml;
  const days = [
    [asOf - DAY_MS, "A day earlier"],
    [asOf + DAY_MS, "A day later"],
  ] as const;
  const steps = days.filter(([at]) => at <= context.now);
  return html`<p class="notice" role="status">
    As of <b>${momentAtProperty(asOf, context.property.timeZone)}</b>.
    ${historyStart === undefined ? "No changes are on record, so this is the current data." : html`The stored history begins at ${momentHtml(historyStart)}.`}
    ${historyStart !== undefined && asOf < historyStart ? html`<b>Earlier times show the oldest available data.</b>` : emptyHtml}
    ${steps.map(([at, label]) => html`<a href="${pastLink(context, at)}">${label}</a> `)}
    <a href="${gridLink(context, { asOf: "" })}">Back to live</a>
  </p>`;
}
