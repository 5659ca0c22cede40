import { type Night, todayIn } from "../calendar/night.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { Count } from "../db/listing.ts";
import type { Path } from "../web/html.ts";
import { NotFoundException } from "../web/http-error.ts";
import { type ListQuery, readListQuery } from "../web/parts/list.ts";
import { daysFrom } from "./day.ts";
import type { GridQuery } from "./query.ts";
import type { GridScene } from "./scene.ts";

/** What finding a grid needs. The stores of properties and categories lie above. */
export type GridSources = {
  database: Database;
  clock: Clock;
  findProperty(database: Database, code: string): Promise<GridScene["property"] | undefined>;
  listProperties(database: Database, query: ListQuery): Promise<Omit<PropertyChoice, "list">>;
  categoriesOf(database: Database, property: string): Promise<GridScene["categories"]>;
};

/** Either the grid of a property, or the properties to choose from. */
export type GridOrChoice = { scene: GridScene; choice: undefined } | { scene: undefined; choice: PropertyChoice };

/** A page of the properties, and how many there are. */
export type PropertyChoice = {
  list: ListQuery;
  lines: readonly { code: string; name: string; lastMessageAt: number | undefined }[];
  count: Count;
};

/**
 * The subject of `/inventories` and `/rates`. Without a property it is a choice, on a page the only one there is unless `choose` is asked for:
 * what programs get does not depend on how many there are.
 * Throws `NotFoundException` for a property or category that does not exist.
 */
export async function openGrid(sources: GridSources, base: Path, query: GridQuery): Promise<GridOrChoice> {
  if (query.property !== "") return { scene: await openScene(sources, base, query), choice: undefined };
  const list = readListQuery(query.typed, ["name"]);
  const { lines, count } = await sources.listProperties(sources.database, list);
  const onlyOne = count.total === 1 && lines.length === 1 && list.q === "" && query.typed.choose === undefined;
  if (onlyOne && query.format === "page")
    return { scene: await openScene(sources, base, { ...query, property: lines[0]!.code }), choice: undefined };
  return { scene: undefined, choice: { list, lines, count } };
}

/** The grid of the property that the query names. Throws as `openGrid` does. */
export async function openScene(sources: GridSources, base: Path, query: GridQuery): Promise<GridScene> {
  const { database, clock } = sources;
  const [property, categories] = await Promise.all([
    sources.findProperty(database, query.property),
    sources.categoriesOf(database, query.property),
  ]);
  if (!property) throw new NotFoundException(`Property '${query.property}' not found`);
  for (const category of [query.category, query.nightRow.category]) {
    if (category !== "" && !categories.some(({ code }) => code === category))
      throw new NotFoundException(`Category '${query.property}/${category}' not found`);
  }
  const now = clock.now();
  const today = todayIn(property.timeZone, now);
  const first = query.from ?? firstNight(query, today);
  const onSaleFrom = todayIn(property.timeZone, query.asOf ?? now);
  return { base, query, property, categories, first, today, onSaleFrom, now, days: daysFrom(first, query.days, today) };
}

/** Today, or the night that is asked about when it would not be in view. */
function firstNight({ night, days }: GridQuery, today: Night): Night {
  return night === undefined || (night >= today && night < today + days) ? today : night;
}
