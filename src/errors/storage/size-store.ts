import { type Kysely, sql } from "kysely";
import type { Database, Statement } from "../../db/database.ts";
import type { Tables } from "../../db/schema.ts";
import { OVERHEAD_BYTES } from "./row-size.ts";

/** The size of an entry of the log; the engines read it from the row's header, without the text. */
export const entrySize = sql<number>`octet_length(class) + octet_length(message) + octet_length(detail) + ${sql.lit(OVERHEAD_BYTES)}`;

/** Adds stored bytes to the size of the log. Goes last in a batch: processes that write at the same time wait for this row. */
export function addSize(bytes: number): Statement[] {
  return bytes === 0 ? [] : [{ sql: "update error_size set bytes = bytes + ?", values: [bytes] }];
}

/** Subtracts deleted bytes, in the transaction that deleted them. */
export async function subtractSize(db: Kysely<Tables>, bytes: number): Promise<void> {
  await db
    .updateTable("error_size")
    .set((of) => ({ bytes: of("bytes", "-", bytes) }))
    .execute();
}

/** The size of the log in bytes. Costs one row, however long the log is. */
export async function readSize({ read }: Database): Promise<number> {
  const row = await read.selectFrom("error_size").select("bytes").executeTakeFirst();
  return row?.bytes ?? 0;
}

/** Corrects the size after entries were deleted by hand. Reads all of them, so it is only for a log that is empty or nearly so. */
export async function recountSize({ write }: Database): Promise<void> {
  await sql`update error_size set bytes = (select coalesce(sum(${entrySize}), 0) from error_entry)`.execute(write);
}
