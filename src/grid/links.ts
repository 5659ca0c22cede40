import { DAY_MS, formatNight, HOUR_MS } from "../calendar/night.ts";
import { type Html, html, type Path } from "../web/html.ts";
import { withQuery } from "../web/path.ts";
import type { GridContext } from "./context.ts";
import { DEFAULT_DAYS, type GridQuery, type NightRow } from "./query.ts";

export type GridFields = Partial<Record<GridField, string>>;
type GridField =
  | ("property" | "category" | "plan" | "from" | "days" | "view" | "asOf" | "compare" | "only" | "select" | "format")
  | ("night" | "nightCategory" | "nightPlan" | "nightRoom");

/** Returns a link to this grid with some fields changed. An empty string removes a field. The link selects no night. */
export function gridLink(context: GridContext, change: GridFields): Path {
  return withQuery(context.base, { ...gridFields(context), ...change });
}

/** Returns the fields for a link or form that shows the same grid. Default values are empty. */
export function gridFields({ query, property }: GridContext) {
  return {
    property: property.code,
    category: query.category,
    plan: query.plan,
    ...nightFields(query),
    asOf: query.asOf === undefined ? "" : query.typed.asOf,
    compare: query.compare === undefined ? "" : query.typed.compare,
    only: query.only,
  };
}

export function pastLink(context: GridContext, moment: number, change: GridFields = {}): Path {
  return gridLink(context, { ...change, asOf: new Date(moment).toISOString() });
}

/** Returns the time `days` days ago, rounded down to the hour, so that the page's ETag changes only once an hour. */
export function daysAgo({ now }: GridContext, days: number): number {
  return now - (now % HOUR_MS) - days * DAY_MS;
}

export function nightFields({ from, days, view }: GridQuery): Readonly<Record<"from" | "days" | "view", string>> {
  return {
    from: from === undefined ? "" : formatNight(from),
    days: days === DEFAULT_DAYS ? "" : String(days),
    view: view === "grid" ? "" : view,
  };
}

/**
 * Returns a function that creates the link to a row's nights, relative to the page and without the date at the end. Pages have hundreds of
 * these links, so most combine property, row and date in a single short field.
 */
export function nightLinks(context: GridContext): (row: NightRow) => Html {
  const { property, query, base } = context;
  const filters = gridLink(context, { property: "" }).text.slice(base.text.length);
  const start = `${filters === "" ? "?" : `${filters}&`}at=${encodeURIComponent(property.code)}`;
  return ({ category, plan, room }) => {
    const [code, other] = query.rows === "plan" ? [plan, room] : [room, plan];
    if (other === "" && !code.includes("/")) return html`${start}/${encodeURIComponent(category)}/${encodeURIComponent(code)}/`;
    const { text } = gridLink(context, { nightCategory: category, nightPlan: plan, nightRoom: room });
    return html`${text.slice(base.text.length)}&amp;night=`;
  };
}

export function selectedDate({ query: { night, nightRow } }: GridContext, row: NightRow): string {
  const isSameRow = row.category === nightRow.category && row.plan === nightRow.plan && row.room === nightRow.room;
  return night === undefined || !isSameRow ? "" : formatNight(night);
}
