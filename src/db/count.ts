import type { Kysely, SelectQueryBuilder } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** How many rows there are; when not `exact`, there are more than `total`. */
export type Count = { total: number; exact: boolean };

const COUNTED = 2_000;

/** Counts the rows of any query; stops when nobody needs the number any more. */
export async function countRows<All extends Tables, Table extends keyof All>(
  { read }: Database,
  rows: SelectQueryBuilder<All, Table, { key: unknown }>,
): Promise<Count> {
  const { count } = await countQuery(read, rows).executeTakeFirstOrThrow();
  return toCount(count);
}

/** The query that counts, for `toCount`. */
export function countQuery<All extends Tables, Table extends keyof All>(
  db: Kysely<Tables>,
  rows: SelectQueryBuilder<All, Table, { key: unknown }>,
) {
  return db.selectFrom(rows.limit(COUNTED + 1).as("some")).select(({ fn }) => fn.countAll<number>().as("count"));
}

export function toCount(count: number): Count {
  return { total: Math.min(count, COUNTED), exact: count <= COUNTED };
}
