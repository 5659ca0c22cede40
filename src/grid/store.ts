import type { Kind } from "../calendar/operation.ts";
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

/** The lanes of a kind that a message has touched at `since` or later, each as `laneKey`. */
export async function updatedLanes(
  database: Database,
  { property, kind, since }: { property: string; kind: Kind; since: number },
): Promise<Set<string>> {
  const { read } = database;
  const rows =
    kind === "inventory"
      ? read
          .selectFrom("inventory_page")
          .select(["category", "room as lane"])
          .where("property", "=", property)
          .where("updated_at", ">=", since)
      : read.selectFrom("rate_page").select(["category", "plan as lane"]).where("property", "=", property).where("updated_at", ">=", since);
  return new Set((await rows.distinct().execute()).map(({ category, lane }) => laneKey(kind, category, lane)));
}

/** Names a lane of a property in one text. */
export function laneKey(kind: Kind, category: string, lane: string): string {
  return `${kind}\n${category}\n${lane}`;
}
