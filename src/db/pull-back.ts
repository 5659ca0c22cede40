import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** Columns with times that may be at most `most` milliseconds after `now`. `also` is another assignment for the affected rows. */
type Moments = { table: keyof Tables; columns: readonly string[]; now: number; most: number; also?: RawBuilder<unknown> };

/** Resets times that a fast clock wrote to `now`; otherwise anything that counts from them would wait for that future. */
export async function pullBack({ read, write }: Database, { table, columns, now, most, also }: Moments): Promise<void> {
  const limit = now + most;
  const isAhead = sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} > ${limit}`),
    sql` or `,
  )})`;
  const { rows } = await sql`select 1 from ${sql.table(table)} where ${isAhead} limit 1`.execute(read);
  if (rows.length === 0) return;
  const assignments = columns.map(
    (column) => sql`${sql.ref(column)} = case when ${sql.ref(column)} > ${limit} then ${now} else ${sql.ref(column)} end`,
  );
  await sql`update ${sql.table(table)} set ${sql.join(also ? [...assignments, also] : assignments)} where ${isAhead}`.execute(write);
}
