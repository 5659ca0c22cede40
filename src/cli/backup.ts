import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import { sqliteFile } from "../db/open.ts";
import { backUpSqlite, restoreSqlite } from "../db/sqlite/copy.ts";
import { backupPath } from "../modules/tools/backups.ts";
import { shellQuote } from "../web/shell-command.ts";
import { type Command, takeNoMore, UsageError } from "./command.ts";
import { progressBar } from "./progress.ts";

export const backupCommand: Command = {
  name: "backup",
  usage: "backup FILE",
  about: "copy the data of SQLite into a new file and check it; the service may run",
  async run(args) {
    const to = readPath(args, "npm run backup -- FILE");
    const file = ownFile(readConfig());
    const tell = progressBar();
    const obstacle = await backUpSqlite(file, to, (done, of) => tell("pages", done, of));
    if (obstacle !== undefined) console.error(`npm run restore will refuse this copy as it is: ${obstacle}.`);
    console.log(`${file} is copied into ${to}, and the copy is whole.`);
    console.log(`To put it back, stop the service, then: npm run restore -- ${shellQuote(to)}`);
    return 0;
  },
};

export const restoreCommand: Command = {
  name: "restore",
  usage: "restore FILE",
  about: "put a backup in the place of the data of SQLite, which are kept; the service must be stopped",
  async run(args) {
    const copy = readPath(args, "npm run restore -- FILE");
    const config = readConfig();
    const to = ownFile(config);
    const kept = backupPath(config.dataDir, systemClock.now(), "before-restore");
    await restoreSqlite(copy, { to, kept });
    console.log(`${copy} is in the place of ${to}.`);
    if (existsSync(kept)) console.log(`What was there is kept: ${kept}`);
    return 0;
  },
};

function readPath([path, ...more]: readonly string[], usage: string): string {
  if (path === undefined || path.startsWith("-")) throw new UsageError(`Usage: ${usage}`);
  takeNoMore(more, usage);
  return resolve(path);
}

function ownFile({ values, dataDir }: Config): string {
  if (values.DATABASE_URL === undefined) return sqliteFile(dataDir);
  throw new UsageError(
    "DATABASE_URL is set, so a PostgreSQL server has the data. Save them with pg_dump --format=custom --file=FILE, put them back with pg_restore --clean --if-exists, or as you back up the server.",
  );
}
