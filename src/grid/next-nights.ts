import { todayIn } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { readNights } from "../journal/nights.ts";
import { categoryNights, type CountNight } from "./count-night.ts";
import { inventoryLane } from "./lane.ts";

/** How many nights from today on the pages of properties and categories show. */
export const NEXT_NIGHTS = 14;

/** The next nights by the code of the category; a category of which nothing was received is missing. */
export type NextNights = ReadonlyMap<string, readonly CountNight[]>;

type Asked = { property: { code: string; timeZone: string }; categories?: readonly string[]; now: number };

/** Reads them from today at the property on, without `categories` those of all; `now` in milliseconds since 1970. */
export async function readNextNights(database: Database, { property, now, ...some }: Asked): Promise<NextNights> {
  const first = todayIn(property.timeZone, now);
  const query = { ...some, property: property.code, kind: "inventory", first, last: first + NEXT_NIGHTS - 1 } as const;
  const lanes = (await readNights(database, query)).map((lane) => inventoryLane(lane, NEXT_NIGHTS));
  const ofCategory = Map.groupBy(lanes, ({ category }) => category);
  return new Map([...ofCategory].map(([category, own]) => [category, categoryNights(own, NEXT_NIGHTS)]));
}
