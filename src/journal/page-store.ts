import type { Kind } from "../calendar/attributes.ts";
import { type LaneKey, laneName } from "../calendar/lane.ts";
import type { Database } from "../db/database.ts";

/** Pages from the first span to the last; without `categories` or `lanes` those of all. */
export type PageScope = {
  property: string;
  kind: Kind;
  categories?: readonly string[] | undefined;
  lanes?: readonly string[] | undefined;
  firstSpan: number;
  lastSpan: number;
};

/** One page. */
export function pageScope(property: string, { kind, category, lane }: LaneKey, span: number): PageScope {
  return { property, kind, categories: [category], lanes: [lane], firstSpan: span, lastSpan: span };
}

/** The stored pages of a scope. */
export function listPages(database: Database, { property, kind, categories, lanes, firstSpan, lastSpan }: PageScope) {
  return pagesOf(database, kind)
    .select(["category", "lane", "span", "page"])
    .where("property", "=", property)
    .where("span", ">=", firstSpan)
    .where("span", "<=", lastSpan)
    .$if(categories !== undefined, (query) => query.where("category", "in", categories!))
    .$if(lanes !== undefined, (query) => query.where("lane", "in", lanes!))
    .execute();
}

type Updates = { property: string; kind: Kind; since: number };

/** Names of the lanes that a message has touched at `since` (milliseconds since 1970) or later; a single room is part of its category. */
export async function updatedLanes(database: Database, { property, kind, since }: Updates): Promise<Set<string>> {
  const pages = pagesOf(database, kind).where("property", "=", property).where("updated_at", ">=", since);
  const lanes = await pages.select(["category", "lane"]).distinct().execute();
  const whole = kind === "inventory" ? lanes.map(({ category }) => ({ category, lane: "" })) : [];
  return new Set([...lanes, ...whole].map(({ category, lane }) => laneName({ kind, category, lane })));
}

/** The pages of a kind, with the same columns for both; to both engines this is a query of the table itself. */
function pagesOf({ read }: Database, kind: Kind) {
  const shared = ["property", "category", "span", "page", "updated_at"] as const;
  const rate = read
    .selectFrom("rate_page")
    .select([...shared, "plan as lane"])
    .as("pages");
  const inventory = read
    .selectFrom("inventory_page")
    .select([...shared, "room as lane"])
    .as("pages");
  return read.selectFrom(kind === "rate" ? rate : inventory);
}
