import { join } from "node:path";
import type { Database } from "./database.ts";

/** Opens PostgreSQL at `url`, otherwise the SQLite file in `folder`. The number of `processes` limits the connections of each. */
export async function openDatabase(url: string | undefined, folder: string, processes = 1): Promise<Database> {
  if (url === undefined) return (await import("./sqlite/open.ts")).openSqlite(sqliteFile(folder));
  return (await import("./postgres/open.ts")).openPostgres(url, processes);
}

export function sqliteFile(folder: string): string {
  return join(folder, "roomrack.sqlite");
}
