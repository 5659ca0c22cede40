import { type Clock, systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../db/database.ts";
import { migrate, pendingMigrations } from "../db/migrate.ts";
import { openDatabase } from "../db/open.ts";
import { backupPath, removeEarlierBackups } from "../modules/tools/backups.ts";

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
  if (next !== undefined) await backUpBefore(next, database, { config, clock });
  return migrate(database);
}

/** One copy is enough of data that a migration does not get through, however often it is tried. Another process may have got it through meanwhile. */
async function backUpBefore(migration: string, database: Database, { config, clock }: { config: Config; clock: Clock }): Promise<void> {
  const reason = `before-${migration}`;
  const saved = await database.backup(backupPath(config.dataDir, clock.now(), reason));
  if (saved === undefined) return;
  console.log(`Backup before the migration: ${saved}`);
  if ((await pendingMigrations(database))[0] === migration) await removeEarlierBackups(saved, reason);
}
