import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** Columns of moments, of which none may be further than `most` milliseconds after `now`; `also`: an assignment for the rows where one is. */
type Moments = { table: keyof Tables; columns: readonly string[]; now: number; most: number; also?: RawBuilder<unknown> };

/** Makes moments that a clock wrote which was ahead those of `now`: what counts from them would wait until they come. */
export async function pullBack({ read, write }: Database, { table, columns, now, most, also }: Moments): Promise<void> {
  const limit = now + most;
  const isAhead = sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} > ${limit}`),
    sql` or `,
  )})`;
  const { rows } = await sql`select 1 from ${sql.table(table)} where ${isAhead} limit 1`.execute(read);
  if (rows.length === 0) return;
  const pulled = columns.map(
    (column) => sql`${sql.ref(column)} = case when ${sql.ref(column)} > ${limit} then ${now} else ${sql.ref(column)} end`,
  );
  await sql`update ${sql.table(table)} set ${sql.join(also ? [...pulled, also] : pulled)} where ${isAhead}`.execute(write);
}
