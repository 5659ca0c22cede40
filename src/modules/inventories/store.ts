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
