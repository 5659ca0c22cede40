import { categoryNights, type CountNight, inventoryLane, rateLane } from "../calendar/night-values.ts";
import { todayIn } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { readNights } from "../journal/nights.ts";
import { CATEGORY_RESTRICTIONS } from "./rows.ts";

export const NEXT_NIGHTS = 14;

export type NextNights = ReadonlyMap<string, readonly CountNight[]>;

type NextNightsQuery = { property: { code: string; timeZone: string }; categories?: readonly string[]; now: number };

/**
 * Reads the next nights, starting today in the property's time zone. `now` is in milliseconds since 1970. Without `categories`, it reads
 * all.
 */
export async function readNextNights(database: Database, { property, now, ...filter }: NextNightsQuery): Promise<NextNights> {
  const first = todayIn(property.timeZone, now);
  const query = { ...filter, property: property.code, first, last: first + NEXT_NIGHTS - 1 };
  const [lanes, general] = await Promise.all([
    readNights(database, { ...query, kind: "inventory" }),
    readNights(database, { ...query, ...CATEGORY_RESTRICTIONS }),
  ]);
  const inventory = Map.groupBy(
    lanes.map((lane) => inventoryLane(lane, NEXT_NIGHTS)),
    ({ category }) => category,
  );
  const restrictions = new Map(general.map((lane) => [lane.category, rateLane(lane, NEXT_NIGHTS).nights]));
  const categories = new Set([...inventory.keys(), ...restrictions.keys()]);
  return new Map(
    [...categories].map((category) => {
      const own = { inventory: inventory.get(category) ?? [], general: restrictions.get(category), count: NEXT_NIGHTS };
      return [category, categoryNights(own)];
    }),
  );
}
