import type { PageKind } from "../calendar/attributes.ts";
import { type LaneKey, laneName } from "../calendar/lane.ts";
import type { Database } from "../db/database.ts";
import { prepareStatement } from "../db/prepared.ts";

/** `firstSpan` and `lastSpan` are inclusive. `categories` and `lanes` default to all. */
export type PageScope = {
  property: string;
  kind: PageKind;
  categories?: readonly string[] | undefined;
  lanes?: readonly string[] | undefined;
  firstSpan: number;
  lastSpan: number;
};

export function pageScope(property: string, { kind, category, lane }: LaneKey, span: number): PageScope {
  return { property, kind, categories: [category], lanes: [lane], firstSpan: span, lastSpan: span };
}

export function listPages({ read }: Database, { property, kind, categories, lanes, firstSpan, lastSpan }: PageScope) {
  const spans = { property, firstSpan, lastSpan };
  if (categories === undefined && lanes === undefined) return pagesQuery[kind](read, spans);
  return pagesBetween(read, kind, spans)
    .$if(categories !== undefined, (query) => query.where("category", "in", categories!))
    .$if(lanes !== undefined, (query) => query.where("lane", "in", lanes!))
    .execute();
}

const pagesQuery = { inventory: preparePages("inventory"), rate: preparePages("rate") };

type SpanRange = { property: string; firstSpan: number; lastSpan: number };

function preparePages(kind: PageKind) {
  return prepareStatement((db, spans: SpanRange) => pagesBetween(db, kind, spans));
}

function pagesBetween(db: Database["read"], kind: PageKind, { property, firstSpan, lastSpan }: SpanRange) {
  return selectPages(db, kind)
    .select(["category", "lane", "span", "page"])
    .where("property", "=", property)
    .where("span", ">=", firstSpan)
    .where("span", "<=", lastSpan);
}

type LaneUpdates = { property: string; kind: PageKind; since: number };

/** Returns the lanes updated at or after `since` (milliseconds since 1970). If a room was updated, also returns its category's lane. */
export async function listUpdatedLanes(database: Database, { property, kind, since }: LaneUpdates): Promise<Set<string>> {
  const pages = selectPages(database.read, kind).where("property", "=", property).where("updated_at", ">=", since);
  const lanes = await pages.select(["category", "lane"]).distinct().execute();
  const categoryLanes = kind === "inventory" ? lanes.map(({ category }) => ({ category, lane: "" })) : [];
  return new Set([...lanes, ...categoryLanes].map(({ category, lane }) => laneName({ kind, category, lane })));
}

/** Gives both tables the same columns. Both engines optimise this like a query on the table itself. */
function selectPages(db: Database["read"], kind: PageKind) {
  const sharedColumns = ["property", "category", "span", "page", "updated_at"] as const;
  const rate = db
    .selectFrom("rate_page")
    .select([...sharedColumns, "plan as lane"])
    .as("pages");
  const inventory = db
    .selectFrom("inventory_page")
    .select([...sharedColumns, "room as lane"])
    .as("pages");
  return db.selectFrom(kind === "rate" ? rate : inventory);
}
