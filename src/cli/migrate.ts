import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { openDatabase } from "../db/open.ts";
import type { Command } from "./command.ts";
import { migrateWithBackup } from "./store.ts";

export const migrateCommand: Command = {
  name: "migrate",
  usage: "migrate",
  about: "bring the database to the schema of this version, after a backup",
  async run() {
    const config = readConfig();
    const database = openDatabase(config.values.DATABASE_URL, config.dataDir);
    try {
      const done = await migrateWithBackup(database, config, systemClock);
      console.log(done.length === 0 ? "The database is up to date." : `Done: ${done.join(", ")}`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
