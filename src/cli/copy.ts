import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { hostUrls } from "../database-url.ts";
import { copyDatabase } from "../db/copy.ts";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { openDatabase } from "../db/open.ts";
import { type Command, progressBar, UsageError } from "./command.ts";
import { withStore } from "./store.ts";

const COPY_USAGE = "npm run copy -- --to postgres://user:password@host/database, or --to FOLDER for SQLite";

export const copyCommand: Command = {
  name: "copy",
  usage: "copy --to URL|FOLDER",
  about: "copy all data to an empty PostgreSQL database, or to SQLite in a folder; stop the service first",
  async run(args) {
    const target = readTarget(args);
    await withStore(async (from) => {
      const to = await openTarget(target);
      try {
        await refuseSameDatabase(from, to);
        await migrate(to);
        await copyDatabase(from, to, progressBar());
        const { engine, location } = await to.describe();
        console.log(`Copied all data to ${engine}, ${location}, and verified the copy.`);
      } finally {
        await to.close();
      }
    });
    return 0;
  },
};

/** Reads the target URL. Errors don't repeat it, because it contains the password. */
function readTarget(args: readonly string[]): string {
  try {
    const { to } = parseArgs({ args: [...args], options: { to: { type: "string" } } }).values;
    if (to !== undefined && to !== "" && (hostUrls(to) !== undefined || !to.includes("://"))) return to;
  } catch {
    // An unknown option also leads to the usage message below.
  }
  throw new UsageError(`Usage: ${COPY_USAGE}`);
}

function openTarget(target: string): Promise<Database> {
  return hostUrls(target) ? openDatabase(target, "") : openDatabase(undefined, resolve(target));
}

async function refuseSameDatabase(from: Database, to: Database): Promise<void> {
  if ((await from.describe()).location === (await to.describe()).location)
    throw new UsageError("The target is the database that this service uses. Choose a different one.");
}
