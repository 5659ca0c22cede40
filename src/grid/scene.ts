import { formatNight, type Night } from "../calendar/night.ts";
import { type Html, html, nothing, type Path } from "../web/html.ts";
import { withQuery } from "../web/path.ts";
import type { Day } from "./day.ts";
import type { GridQuery, NightRow } from "./query.ts";

/** What a grid is drawn with, the same for `/inventories` and `/rates`. */
export type GridScene = {
  /** `/inventories` or `/rates`. */
  base: Path;
  query: GridQuery;
  property: { code: string; name: string; currency: string; timeZone: string; status: string; assumeOpen: boolean; horizonDays: number };
  categories: readonly GridCategory[];
  /** The first night that is shown. */
  first: Night;
  /** The date at the property. */
  today: Night;
  /** The first night that could be sold at the moment that is shown. */
  onSaleFrom: Night;
  /** Milliseconds since 1970. */
  now: number;
  days: readonly Day[];
};

export type GridCategory = { code: string; name: string; status: string; rooms: number; standardOccupancy: number };

/** Whether a category is sold at all. What it was in the past is not known. */
export function isActive({ property, query }: GridScene, { status }: GridCategory): boolean {
  return query.asOf !== undefined || (property.status !== "inactive" && status !== "inactive");
}

/** Marks the head of a category that is not sold. */
export function inactiveBadge(scene: GridScene, category: GridCategory): Html {
  return isActive(scene, category) ? nothing : html` <span class="badge warn">Inactive</span>`;
}

/** The categories that the grid has rows for. */
export function shownCategories({ categories, query }: GridScene): GridScene["categories"] {
  return query.category === "" ? categories : categories.filter(({ code }) => code === query.category);
}

/**
 * Makes the addresses of the histories of a row's nights, relative to the page; the date follows at their end. A grid has hundreds, so most
 * name property, row and date in one field.
 */
export function nightLinks(scene: GridScene): (row: NightRow) => Html {
  const { property, query, base } = scene;
  const narrowed = gridLink(scene, { property: "" }).text.slice(base.text.length);
  const start = `${narrowed === "" ? "?" : `${narrowed}&`}at=${encodeURIComponent(property.code)}`;
  return ({ category, plan, room }) => {
    const [lane, other] = query.rows === "plan" ? [plan, room] : [room, plan];
    if (other === "" && !lane.includes("/")) return html`${start}/${encodeURIComponent(category)}/${encodeURIComponent(lane)}/`;
    const { text } = gridLink(scene, { nightCategory: category, nightPlan: plan, nightRoom: room });
    return html`${text.slice(base.text.length)}&amp;night=`;
  };
}

/** The date of the night in this row whose history is shown; empty when it is another row's. */
export function chosenNight({ query: { night, nightRow } }: GridScene, row: NightRow): string {
  const same = row.category === nightRow.category && row.plan === nightRow.plan && row.room === nightRow.room;
  return night === undefined || !same ? "" : formatNight(night);
}

/** Fields of the query as a link is to have them. */
export type GridFields = Partial<Record<GridField, string>>;
type GridField =
  | ("property" | "category" | "plan" | "from" | "days" | "view" | "asOf" | "only" | "format")
  | ("night" | "nightCategory" | "nightPlan" | "nightRoom");

/** The nights that a grid shows and how, as a query, for the other grid or another property. */
export function nightsOf({ from, days, view }: GridQuery): Readonly<Record<"from" | "days" | "view", string>> {
  return {
    from: from === undefined ? "" : formatNight(from),
    days: days === 14 ? "" : String(days),
    view: view === "grid" ? "" : view,
  };
}

/** This view as it was at a moment, in milliseconds since 1970. */
export function pastLink(scene: GridScene, moment: number, change: GridFields = {}): Path {
  return gridLink(scene, { ...change, asOf: new Date(moment).toISOString() });
}

/** The address of this view with some fields changed; an empty text leaves a field out. The panel of a night is closed. */
export function gridLink(scene: GridScene, change: GridFields): Path {
  const { query } = scene;
  return withQuery(scene.base, {
    property: scene.property.code,
    category: query.category,
    plan: query.plan,
    ...nightsOf(query),
    asOf: query.asOf === undefined ? "" : query.typed.asOf,
    only: query.only,
    ...change,
  });
}
