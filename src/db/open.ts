import { join } from "node:path";
import { COMMAND_CONNECTIONS, type ConnectionLimits } from "./connections.ts";
import type { Database } from "./database.ts";

/** Opens PostgreSQL at `url` if set, otherwise the SQLite file in `folder`. */
export async function openDatabase(
  url: string | undefined,
  folder: string,
  limits: ConnectionLimits = COMMAND_CONNECTIONS,
): Promise<Database> {
  if (url === undefined) return (await import("./sqlite/open.ts")).openSqlite(sqliteFile(folder));
  return (await import("./postgres/open.ts")).openPostgres(url, limits);
}

export function sqliteFile(folder: string): string {
  return join(folder, "roomrack.sqlite");
}
