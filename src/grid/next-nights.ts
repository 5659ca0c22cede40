import { categoryNights, type CountNight, inventoryLane } from "../calendar/night-values.ts";
import { todayIn } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { readNights } from "../journal/nights.ts";

export const NEXT_NIGHTS = 14;

export type NextNights = ReadonlyMap<string, readonly CountNight[]>;

type NextNightsQuery = { property: { code: string; timeZone: string }; categories?: readonly string[]; now: number };

/**
 * Reads the next nights, starting today in the property's time zone. `now` is in milliseconds since 1970. Without `categories`, it reads
 * all.
 */
export async function readNextNights(database: Database, { property, now, ...filter }: NextNightsQuery): Promise<NextNights> {
  const first = todayIn(property.timeZone, now);
  const query = { ...filter, property: property.code, kind: "inventory", first, last: first + NEXT_NIGHTS - 1 } as const;
  const lanes = (await readNights(database, query)).map((lane) => inventoryLane(lane, NEXT_NIGHTS));
  const ofCategory = Map.groupBy(lanes, ({ category }) => category);
  return new Map([...ofCategory].map(([category, own]) => [category, categoryNights(own, NEXT_NIGHTS)]));
}
