import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import { sqliteFile } from "../db/open.ts";
import { backUpSqlite, restoreSqlite } from "../db/sqlite/copy.ts";
import { backupPath } from "../modules/tools/backups.ts";
import { shellQuote } from "../web/shell-command.ts";
import { type Command, expectNoMoreArguments, progressBar, UsageError } from "./command.ts";

export const backupCommand: Command = {
  name: "backup",
  usage: "backup FILE",
  about: "copy the SQLite database to a new file and verify the copy; the service can keep running",
  async run(args) {
    const to = readPath(args, "npm run backup -- FILE");
    const file = requireSqliteFile(readConfig());
    const progress = progressBar();
    const obstacle = await backUpSqlite(file, to, (done, total) => progress("pages", done, total));
    if (obstacle !== undefined) console.error(`npm run restore will refuse this copy: ${obstacle}.`);
    console.log(`Copied ${file} to ${to} and verified the copy.`);
    console.log(`To restore it, stop the service and run: npm run restore -- ${shellQuote(to)}`);
    return 0;
  },
};

export const restoreCommand: Command = {
  name: "restore",
  usage: "restore FILE",
  about: "replace the SQLite database with a backup and keep the old one; stop the service first",
  async run(args) {
    const copy = readPath(args, "npm run restore -- FILE");
    const config = readConfig();
    const to = requireSqliteFile(config);
    const previousDataPath = backupPath(config.dataDir, systemClock.now(), "before-restore");
    await restoreSqlite(copy, { to, previous: previousDataPath });
    console.log(`Restored ${copy} to ${to}.`);
    if (existsSync(previousDataPath)) console.log(`The previous database was kept as ${previousDataPath}`);
    return 0;
  },
};

function readPath([path, ...more]: readonly string[], usage: string): string {
  if (path === undefined || path.startsWith("-")) throw new UsageError(`Usage: ${usage}`);
  expectNoMoreArguments(more, usage);
  return resolve(path);
}

function requireSqliteFile({ values, dataDir }: Config): string {
  if (values.DATABASE_URL === undefined) return sqliteFile(dataDir);
  throw new UsageError(
    "DATABASE_URL is set, so the data is in PostgreSQL. Back it up with pg_dump --format=custom --file=FILE and restore it with pg_restore --clean --if-exists, or use your server's own backups.",
  );
}
