import type { Database } from "./database.ts";

/** How many rows there are; when not `exact`, there are more than `total`. */
export type Count = { total: number; exact: boolean };

const COUNTED = 2_000;

/** Counts the error entries not older than `since` (UTC milliseconds), but stops like `countUpTo`. */
export async function countErrorsSince(database: Database, since: number): Promise<Count> {
  const some = database.read
    .selectFrom("error_entry")
    .select("id")
    .where("at", ">=", since)
    .limit(COUNTED + 1)
    .as("some");
  const { count } = await database.read
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return { total: Math.min(count, COUNTED), exact: count <= COUNTED };
}

/** Counts the rows of a table, but stops when there are so many that nobody needs the number. */
export async function countUpTo(database: Database, table: "property" | "category"): Promise<Count> {
  const some = database.read
    .selectFrom(table)
    .select("code")
    .limit(COUNTED + 1)
    .as("some");
  const { count } = await database.read
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return { total: Math.min(count, COUNTED), exact: count <= COUNTED };
}
