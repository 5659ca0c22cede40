import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { indexUnfound } from "./search-index.ts";
import { sortUnsorted } from "./sort-name.ts";

/** Migrates the database, then completes records written by older versions. Returns the names of the migrations that ran. */
export async function migrateRecords(database: Database): Promise<string[]> {
  const done = await migrate(database);
  await sortUnsorted(database);
  await indexUnfound(database);
  return done;
}
