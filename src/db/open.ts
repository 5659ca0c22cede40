import { join } from "node:path";
import type { OpenOptions } from "./connections.ts";
import type { Database } from "./database.ts";

/** Opens PostgreSQL at `url` if set, otherwise the SQLite file in `folder`. */
export async function openDatabase(url: string | undefined, folder: string, options: OpenOptions = {}): Promise<Database> {
  if (url === undefined) return (await import("./sqlite/open.ts")).openSqlite(sqliteFile(folder));
  return (await import("./postgres/open.ts")).openPostgres(url, options);
}

export function sqliteFile(folder: string): string {
  return join(folder, "roomrack.sqlite");
}
