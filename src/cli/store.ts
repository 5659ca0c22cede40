import { join } from "node:path";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { migrate, pendingMigrations } from "../db/migrate.ts";

/** Brings existing data to this version's schema, SQLite after a backup into `DATA_DIR/backups`. Throws `NewerSchemaError`. */
export async function migrateWithBackup(database: Database, config: Config, clock: Clock): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return [];
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-");
  const saved = await database.backup(join(config.dataDir, "backups", `before-${pending[0]}-${stamp}.sqlite`));
  if (saved) console.log(`Backup before the migration: ${saved}`);
  return migrate(database);
}
