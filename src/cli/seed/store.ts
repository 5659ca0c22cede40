import type { Insertable } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Tables } from "../../db/schema.ts";

/** Maximum number of values per statement. Both engines allow more. */
const MAX_VALUES_PER_STATEMENT = 12_000;

export async function createRows<T extends keyof Tables>(
  database: Database,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  if (rows.length === 0) return;
  const size = Math.floor(MAX_VALUES_PER_STATEMENT / Object.keys(rows[0]!).length);
  await database.write.transaction().execute(async (transaction) => {
    for (let start = 0; start < rows.length; start += size) {
      const insert = transaction.insertInto(table).values(rows.slice(start, start + size));
      await insert.onConflict((conflict) => conflict.doNothing()).execute();
    }
  });
}

/** Makes the portfolio recalculate every property's summary, because seeded nights are not in the change feed. */
export async function resetSummaries({ write }: Database): Promise<void> {
  await write.deleteFrom("summary_progress").execute();
}
