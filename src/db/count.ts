import type { SelectQueryBuilder } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** How many rows there are; when not `exact`, there are more than `total`. */
export type Count = { total: number; exact: boolean };

const COUNTED = 2_000;

/** Counts the rows of a table, but stops when nobody needs the number any more. */
export function countRecords(database: Database, table: "property" | "category"): Promise<Count> {
  return countRows(database, database.read.selectFrom(table).select("code as key"));
}

/** Counts the error entries from `since` until `now` (UTC milliseconds), and stops likewise. */
export function countErrorsSince(database: Database, since: number, now: number): Promise<Count> {
  return countRows(
    database,
    database.read
      .selectFrom("error_entry")
      .select("id as key")
      .where((of) => of.between("at", since, now)),
  );
}

/** Counts the groups of errors that are open, and stops likewise. */
export function countOpenGroups(database: Database): Promise<Count> {
  return countRows(database, database.read.selectFrom("error_group").select("id as key").where("state", "=", "open"));
}

/** Counts the rows of any query, and stops likewise. */
export async function countRows<All extends Tables, Table extends keyof All>(
  database: Database,
  rows: SelectQueryBuilder<All, Table, { key: unknown }>,
): Promise<Count> {
  const some = rows.limit(COUNTED + 1).as("some");
  const { count } = await database.read
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return { total: Math.min(count, COUNTED), exact: count <= COUNTED };
}
