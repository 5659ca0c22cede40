import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** Columns whose times may be at most `maxAhead` milliseconds after `now`. `alsoSet` is an additional assignment for affected rows. */
type FutureTimes = { table: keyof Tables; columns: readonly string[]; now: number; maxAhead: number; alsoSet?: RawBuilder<unknown> };

/**
 * Resets times that were stored while the clock was ahead to `now`. Otherwise they would stay in the future after the clock is corrected.
 */
export async function clampFutureTimes({ read, write }: Database, { table, columns, now, maxAhead, alsoSet }: FutureTimes): Promise<void> {
  const limit = now + maxAhead;
  const isAhead = sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} > ${limit}`),
    sql` or `,
  )})`;
  const { rows } = await sql`select 1 from ${sql.table(table)} where ${isAhead} limit 1`.execute(read);
  if (rows.length === 0) return;
  const assignments = columns.map(
    (column) => sql`${sql.ref(column)} = case when ${sql.ref(column)} > ${limit} then ${now} else ${sql.ref(column)} end`,
  );
  await sql`update ${sql.table(table)} set ${sql.join(alsoSet ? [...assignments, alsoSet] : assignments)} where ${isAhead}`.execute(write);
}
