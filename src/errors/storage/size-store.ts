import { type Kysely, sql } from "kysely";
import type { Database, Statement } from "../../db/database.ts";
import type { ErrorEntryRow, Tables } from "../../db/schema.ts";

/** Estimated size of an entry's row header and index entries. */
const OVERHEAD_BYTES = 200;

export function rowBytes({ class: name, message, detail }: Pick<ErrorEntryRow, "class" | "message" | "detail">): number {
  return Buffer.byteLength(`${name}${message}${detail}`) + OVERHEAD_BYTES;
}

/** The same in SQL. Both engines know the length of a text without reading it. */
export const entryBytes = sql<number>`octet_length(class) + octet_length(message) + octet_length(detail) + ${sql.lit(OVERHEAD_BYTES)}`;

/** Adds to the size of the log. Put it last in a batch: concurrent writers wait for this row. */
export function addSize(bytes: number): Statement[] {
  return bytes === 0 ? [] : [{ sql: "update error_size set bytes = bytes + ?", values: [bytes] }];
}

/** Call in the transaction that deletes the entries. */
export async function subtractSize(db: Kysely<Tables>, bytes: number): Promise<void> {
  await db
    .updateTable("error_size")
    .set((eb) => ({ bytes: eb("bytes", "-", bytes) }))
    .execute();
}

export async function readSize({ read }: Database): Promise<number> {
  const row = await read.selectFrom("error_size").select("bytes").executeTakeFirst();
  return row?.bytes ?? 0;
}

/** Corrects the size after entries were deleted by hand. Reads every entry, so call it only when few are left. */
export async function recountSize({ write }: Database): Promise<void> {
  await sql`update error_size set bytes = (select coalesce(sum(${entryBytes}), 0) from error_entry)`.execute(write);
}
