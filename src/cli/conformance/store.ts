import { createHash } from "node:crypto";
import type { Database } from "../../db/database.ts";
import { withSortName } from "../../records/sort-name.ts";
import { categoryRow, propertyRow } from "../seed/records.ts";
import { createRows } from "../seed/store.ts";

export type Hotel = { code: string; name: string; currency: string; categories: readonly string[] };

/** A room count that is higher than any count in a message. */
const ROOM_COUNT = 9_999;
const GUEST_COUNT = 8;

const FINGERPRINTED_TABLES = ["property", "category", "rate_plan", "inventory_page", "rate_page"] as const;

export async function createHotel(database: Database, { code, name, currency, categories }: Hotel, now: number): Promise<void> {
  await createRows(database, "property", [withSortName({ ...propertyRow(0, now), code, name, currency })]);
  const size = { standard_occupancy: 2, max_occupancy: GUEST_COUNT, rooms: ROOM_COUNT };
  const rows = categories.map((category, index) => ({ ...categoryRow(code, index, now), ...size, code: category, name: category }));
  await createRows(database, "category", rows.map(withSortName));
}

export async function deleteHotels(database: Database): Promise<void> {
  await database.write.transaction().execute(async (transaction) => {
    for (const table of [...FINGERPRINTED_TABLES.toReversed(), "night_undo", "property_activity"] as const)
      await transaction.deleteFrom(table).execute();
  });
}

/** Returns a hash of all records, except the message log and last-message times. */
export async function fingerprint(database: Database): Promise<string> {
  const hash = createHash("sha256");
  for (const table of FINGERPRINTED_TABLES) {
    const rows = await database.read.selectFrom(table).selectAll().execute();
    for (const line of rows.map((row) => JSON.stringify(row)).toSorted()) hash.update(`${table} ${line}\n`);
  }
  return hash.digest("hex");
}
