import { inventoryLane, rateLane } from "../calendar/night-values.ts";
import { todayIn } from "../calendar/night.ts";
import { decideCategoryNights, type CountedNight, findInactiveRecord, saleDates } from "../calendar/sale.ts";
import type { Database } from "../db/database.ts";
import { readNights } from "../journal/nights.ts";
import { CATEGORY_RESTRICTIONS } from "./rows.ts";

export const NEXT_NIGHT_COUNT = 14;

export type NextNights = ReadonlyMap<string, readonly CountedNight[]>;

type NextNightsQuery = {
  property: { code: string; timeZone: string; status: string; assumeOpen: boolean; horizonDays: number };
  categories: readonly { code: string; status: string }[];
  now: number;
};

/** Reads each category's next nights, starting today in the property's time zone. `now` is in milliseconds since 1970. */
export async function readNextNights(database: Database, { property, categories, now }: NextNightsQuery): Promise<NextNights> {
  const today = todayIn(property.timeZone, now);
  const codes = categories.map(({ code }) => code);
  const query = { property: property.code, categories: codes, first: today, last: today + NEXT_NIGHT_COUNT - 1 };
  const [lanes, general] = await Promise.all([
    readNights(database, { ...query, kind: "inventory" }),
    readNights(database, { ...query, ...CATEGORY_RESTRICTIONS }),
  ]);
  const inventory = Map.groupBy(
    lanes.map((lane) => inventoryLane(lane, NEXT_NIGHT_COUNT)),
    ({ category }) => category,
  );
  const restrictions = new Map(general.map((lane) => [lane.category, rateLane(lane, NEXT_NIGHT_COUNT).nights]));
  const dates = saleDates(property, { first: today, count: NEXT_NIGHT_COUNT, today });
  return new Map(
    categories.map((category) => {
      const { code } = category;
      const receivedLanes = { inventory: inventory.get(code) ?? [], general: restrictions.get(code) };
      return [code, decideCategoryNights({ ...dates, ...receivedLanes, inactive: findInactiveRecord(property, category) })];
    }),
  );
}
