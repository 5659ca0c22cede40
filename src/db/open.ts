import { join } from "node:path";
import type { Database } from "./database.ts";

/**
 * Opens `url` (`postgres://...`), or without one the SQLite file in `folder`. `processes` divide the connections to a server among
 * themselves. Loads only the engine in use.
 */
export async function openDatabase(url: string | undefined, folder: string, processes = 1): Promise<Database> {
  if (url === undefined) return (await import("./sqlite/open.ts")).openSqlite(sqliteFile(folder));
  return (await import("./postgres/open.ts")).openPostgres(url, processes);
}

/** The file in `folder` that holds the data without a `url`. */
export function sqliteFile(folder: string): string {
  return join(folder, "roomrack.sqlite");
}
