import { type Clock, systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import { type Database, DistributionError } from "../db/database.ts";
import { migrationHistory, pendingMigrations } from "../db/migrate.ts";
import { openDatabase } from "../db/open.ts";
import { backupPath, removeEarlierBackups } from "../modules/tools/backups.ts";
import { migrateRecords } from "../records/migrate.ts";
import { type Command, expectNoMoreArguments, UsageError } from "./command.ts";

/** Opens the configured database and passes it to `use`. Migrates an empty database. Throws `UsageError` if the schema is outdated. */
export async function withStore<T>(use: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(async (database) => {
    const migrations = await pendingMigrations(database);
    if (migrations.length > 0 && (await migrationHistory(database)).length > 0) throw new UsageError(OLDER_VERSION);
    await migrateRecords(database);
    return use(database);
  });
}

/** Shown for a database of an older version. It is not migrated automatically, because the old service may be running. */
const OLDER_VERSION =
  "This database belongs to an older version of Roomrack. Stop the old service, then start this version or run npm run migrate.";

async function withDatabase<T>(use: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig();
  const database = await openDatabase(config.values.DATABASE_URL, config.dataDir);
  try {
    return await use(database, config);
  } finally {
    await database.close();
  }
}

/** Migrates the database, after backing up SQLite to `DATA_DIR/backups`. Returns the applied migrations. Throws `NewerSchemaError`. */
export async function migrateWithBackup(database: Database, config: Config, clock: Clock): Promise<string[]> {
  const [next] = await pendingMigrations(database);
  if (next !== undefined) await backUpBefore(next, database, { config, clock });
  return migrateRecords(database);
}

/** Backs up the database before a migration. If a migration fails repeatedly, keeps only its latest backup. */
async function backUpBefore(migration: string, database: Database, { config, clock }: { config: Config; clock: Clock }): Promise<void> {
  const reason = `before-${migration}`;
  const backupFile = await database.backup(backupPath(config.dataDir, clock.now(), reason));
  if (backupFile === undefined) return;
  console.log(`Backup before migration: ${backupFile}`);
  if ((await pendingMigrations(database))[0] === migration) await removeEarlierBackups(backupFile, reason);
}

export const migrateCommand: Command = {
  name: "migrate",
  usage: "migrate [-- --distribute]",
  about: "migrate the database to this version; SQLite is backed up first. --distribute spreads the tables over a Citus cluster",
  async run(args) {
    const [option, ...more] = args;
    const distributes = option === "--distribute";
    expectNoMoreArguments(distributes ? more : args, MIGRATE_USAGE);
    await withDatabase(async (database, config) => {
      const appliedMigrations = await migrateWithBackup(database, config, systemClock);
      console.log(appliedMigrations.length === 0 ? "The database is up to date." : `Applied migrations: ${appliedMigrations.join(", ")}`);
      if (distributes) await distributeTables(database);
    });
    return 0;
  },
};

const MIGRATE_USAGE = "npm run migrate [-- --distribute]";

async function distributeTables(database: Database): Promise<void> {
  try {
    await database.distribute((table, done, total) => console.log(`Table ${done + 1} of ${total}: ${table}`));
  } catch (error) {
    throw error instanceof DistributionError ? new UsageError(error.message) : error;
  }
  console.log("The database is distributed. Restart the service.");
}
