import type { Database } from "../db/database.ts";

/** When messages came and who sent them, by id; those that are no longer in the log are missing. */
export async function findSenders(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, { at: number; sender: string | undefined }>> {
  if (ids.length === 0) return new Map();
  const rows = await database.read.selectFrom("message").select(["id", "received_at", "sender"]).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, { at: row.received_at, sender: row.sender ?? undefined }]));
}
