import { join } from "node:path";
import { type Clock, systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../db/database.ts";
import { migrate, pendingMigrations } from "../db/migrate.ts";
import { openDatabase } from "../db/open.ts";

/** Opens the store that the settings name, at the schema of this version, for as long as `use` takes. */
export async function withStore<T>(use: (database: Database, migrated: readonly string[]) => Promise<T>): Promise<T> {
  const config = readConfig();
  const database = await openDatabase(config.values.DATABASE_URL, config.dataDir);
  try {
    return await use(database, await migrateWithBackup(database, config, systemClock));
  } finally {
    await database.close();
  }
}

/** Brings existing data to this version's schema, SQLite after a backup into `DATA_DIR/backups`. Throws `NewerSchemaError`. */
export async function migrateWithBackup(database: Database, config: Config, clock: Clock): Promise<string[]> {
  const [next] = await pendingMigrations(database);
  if (next !== undefined) await backUp(database, backupPath(config, clock, `before-${next}`));
  return migrate(database);
}

/** Where a backup that is made for a reason is kept, with its time in the name. */
export function backupPath({ dataDir }: Config, clock: Clock, reason: string): string {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-");
  return join(dataDir, "backups", `${reason}-${stamp}.sqlite`);
}

async function backUp(database: Database, path: string): Promise<void> {
  const saved = await database.backup(path);
  if (saved) console.log(`Backup before the migration: ${saved}`);
}
