import { sql } from "kysely";
import type { Schema } from "./catalog.ts";
import type { Database } from "./database.ts";

/**
 * Runs all statements that `decide` answers, or none. `decide` runs while no migration and no other change of the schema can,
 * and sees the schema of that moment; when it throws, nothing is changed.
 */
export async function changeSchema(database: Database, decide: (live: Schema) => readonly string[]): Promise<void> {
  await database.alter(async (db) => {
    for (const statement of decide(await database.catalog.read(db))) await sql.raw(statement).execute(db);
  });
}
