import { fillDatabase } from "../../src/cli/seed/fill.ts";
import { categoryCode, propertyCode } from "../../src/cli/seed/records.ts";
import { systemClock } from "../../src/clock.ts";
import type { Database } from "../../src/db/database.ts";
import { type Engine, openFresh } from "./databases.ts";
import type { Settings } from "./process.ts";

const DAY_MS = 86_400_000;
/** Computed once, so that it doesn't change at midnight. */
const FIRST_NIGHT = systemClock.now() + 5 * DAY_MS;

export type SeededPlace = AsyncDisposable & { settings: Settings };

export async function seededPlace(engine: Engine, properties: number): Promise<SeededPlace> {
  const { database, place, remove } = await openFresh(engine);
  await seedProperties(database, properties);
  await database.close();
  const settings = { DATA_DIR: place.folder, ...(place.url !== undefined && { DATABASE_URL: place.url }) };
  return { settings, [Symbol.asyncDispose]: remove };
}

export async function seedProperties(database: Database, properties: number): Promise<void> {
  const amounts = { properties, categories: 1, plans: 0, nights: 0, errors: 0, messages: 0 };
  await fillDatabase(database, amounts, { now: systemClock.now(), progress: () => {} });
}

function nightAfter(days: number): string {
  return new Date(FIRST_NIGHT + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns a message that sets a property's available rooms for a night. `property` is an index that starts at 0. */
export function countMessage(property: number, { days, count }: { days: number; count: number }): string {
  const night = nightAfter(days);
  const control = `<StatusApplicationControl Start="${night}" End="${night}" InvTypeCode="${categoryCode(0)}"/>`;
  const inventory = `<Inventory>${control}<InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
  return `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">
    <Inventories HotelCode="${propertyCode(property)}">${inventory}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

export function countsPath(property: number): string {
  return `/inventories?property=${propertyCode(property)}&from=${nightAfter(0)}&days=14&format=json`;
}

export function readCounts(json: string): (number | undefined)[] {
  const { categories } = JSON.parse(json) as { categories: { nights: { available?: number }[] }[] };
  return categories[0]!.nights.map(({ available }) => available);
}
