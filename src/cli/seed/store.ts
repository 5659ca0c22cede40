import type { Insertable, Transaction } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Tables } from "../../db/schema.ts";

/** Values in one statement; both engines take at least this many. */
const VALUES = 12_000;

/** Stores rows of any table in large statements, all of them in one transaction; rows whose key is there already are left as they are. */
export async function createRows<T extends keyof Tables>(
  database: Database,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  if (rows.length === 0) return;
  const size = Math.floor(VALUES / Object.keys(rows[0]!).length);
  await database.write.transaction().execute(async (transaction) => {
    for (let start = 0; start < rows.length; start += size) await insert(transaction, table, rows.slice(start, start + size));
  });
}

async function insert<T extends keyof Tables>(
  transaction: Transaction<Tables>,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  await transaction
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
