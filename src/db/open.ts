import { join } from "node:path";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens `url` (`postgres://...`), or without one the SQLite file in `folder`. */
export function openDatabase(url: string | undefined, folder: string): Database {
  return url === undefined ? openSqlite(join(folder, "roomrack.sqlite")) : openPostgres(url);
}
