import { type Night, todayIn } from "../../calendar/night.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { daysFrom } from "../../grid/day.ts";
import type { GridQuery } from "../../grid/grid-query.ts";
import type { GridScene } from "../../grid/grid-scene.ts";
import type { Path } from "../../web/html.ts";
import { NotFoundException } from "../../web/http-error.ts";
import { categoriesOf } from "../category/store.ts";
import { findProperty, listProperties, type PropertyLine } from "../property/store.ts";

/** What is needed to find a grid. */
export type GridSources = { database: Database; clock: Clock };

/** Either the grid of a property, or the properties to choose from. */
export type Opened = { scene: GridScene; choice: undefined } | { scene: undefined; choice: PropertyChoice };
export type PropertyChoice = { q: string; properties: readonly PropertyLine[]; more: boolean };

const SHOWN = 100;

/**
 * What `/inventories` and `/rates` are about. Without a property: the only one there is, or a choice.
 * Throws `NotFoundException` for a property or category that does not exist.
 */
export async function openGrid(sources: GridSources, base: Path, query: GridQuery): Promise<Opened> {
  if (query.property !== "") return { scene: await sceneOf(sources, base, query), choice: undefined };
  const q = (query.typed.q ?? "").slice(0, 200);
  const { lines } = await listProperties(sources.database, { q, sort: "name", direction: "asc", page: 1, size: SHOWN + 1 });
  if (lines.length === 1 && q === "")
    return { scene: await sceneOf(sources, base, { ...query, property: lines[0]!.code }), choice: undefined };
  return { scene: undefined, choice: { q, properties: lines.slice(0, SHOWN), more: lines.length > SHOWN } };
}

async function sceneOf({ database, clock }: GridSources, base: Path, query: GridQuery): Promise<GridScene> {
  const [property, categories] = await Promise.all([findProperty(database, query.property), categoriesOf(database, query.property)]);
  if (!property) throw new NotFoundException(`Property '${query.property}' not found`);
  if (query.category !== "" && !categories.some(({ code }) => code === query.category)) {
    throw new NotFoundException(`Category '${query.property}/${query.category}' not found`);
  }
  const today = todayIn(property.timeZone, clock.now());
  const first = query.from ?? firstNight(query, today);
  return { base, query, property, categories, first, today, days: daysFrom(first, query.days, today) };
}

/** Today, or the night that is asked about when it would not be in view. */
function firstNight({ night, days }: GridQuery, today: Night): Night {
  return night === undefined || (night >= today && night < today + days) ? today : night;
}

/** The categories that the grid has rows for. */
export function shownCategories({ categories, query }: GridScene): GridScene["categories"] {
  return query.category === "" ? categories : categories.filter(({ code }) => code === query.category);
}
