import type { Kind } from "../../calendar/operation.ts";
import type { Database } from "../../db/database.ts";

/** What changes with everything that a grid of the property shows; undefined when there is no such property. */
export async function findStamp(database: Database, property: string): Promise<{ stamp: string; timeZone: string } | undefined> {
  const row = await database.read
    .selectFrom("property as p")
    .select(["p.version", "p.time_zone"])
    .select(({ selectFrom }) => [
      selectFrom("message as m")
        .whereRef("m.property", "=", "p.code")
        .select(({ fn }) => fn.max("m.id").as("id"))
        .as("message"),
      selectFrom("category as c")
        .whereRef("c.property", "=", "p.code")
        .select(({ fn }) => fn.sum<number>("c.version").as("n"))
        .as("edits"),
    ])
    .where("p.code", "=", property)
    .executeTakeFirst();
  return row && { stamp: `${row.version} ${row.message} ${row.edits}`, timeZone: row.time_zone };
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

export function laneKey(kind: Kind, category: string, lane: string): string {
  return `${kind}\n${category}\n${lane}`;
}
