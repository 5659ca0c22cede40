import { type Clock, systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../db/database.ts";
import { migrationHistory, pendingMigrations } from "../db/migrate.ts";
import { openDatabase } from "../db/open.ts";
import { backupPath, removeEarlierBackups } from "../modules/tools/backups.ts";
import { migrateRecords } from "../records/migrate.ts";
import { UsageError } from "./command.ts";

/** Opens the store that the settings name, a new one at the schema of this version, for as long as `use` takes. Throws `UsageError` for an older one. */
export async function withStore<T>(use: (database: Database) => Promise<T>): Promise<T> {
  return withOpened(async (database) => {
    const pending = await pendingMigrations(database);
    if (pending.length > 0 && (await migrationHistory(database)).length > 0) throw new UsageError(OLDER);
    await migrateRecords(database);
    return use(database);
  });
}

/** Its service may be running: it is not migrated behind its back. */
const OLDER = "The data are of an older version of Roomrack. Stop its service, then start this version, or run npm run migrate.";

/** Brings the store that the settings name to the schema of this version; answers the migrations that ran. */
export async function migrateStore(): Promise<string[]> {
  return withOpened((database, config) => migrateWithBackup(database, config, systemClock));
}

async function withOpened<T>(use: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig();
  const database = await openDatabase(config.values.DATABASE_URL, config.dataDir);
  try {
    return await use(database, config);
  } finally {
    await database.close();
  }
}

/** Brings existing data to this version's schema, SQLite after a backup into `DATA_DIR/backups`. Throws `NewerSchemaError`. */
export async function migrateWithBackup(database: Database, config: Config, clock: Clock): Promise<string[]> {
  const [next] = await pendingMigrations(database);
  if (next !== undefined) await backUpBefore(next, database, { config, clock });
  return migrateRecords(database);
}

/** One copy is enough of data that a migration does not get through, however often it is tried. Another process may have got it through meanwhile. */
async function backUpBefore(migration: string, database: Database, { config, clock }: { config: Config; clock: Clock }): Promise<void> {
  const reason = `before-${migration}`;
  const saved = await database.backup(backupPath(config.dataDir, clock.now(), reason));
  if (saved === undefined) return;
  console.log(`Backup before the migration: ${saved}`);
  if ((await pendingMigrations(database))[0] === migration) await removeEarlierBackups(saved, reason);
}
