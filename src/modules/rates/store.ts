import type { Database } from "../../db/database.ts";

/** A rate plan as its messages named it. */
export type RatePlan = { code: string; name: string | undefined; currency: string | undefined; status: string };

/** The rate plans that messages have named for a property, by code. */
export async function plansOf(database: Database, property: string): Promise<RatePlan[]> {
  const rows = await database.read
    .selectFrom("rate_plan")
    .select(["code", "name", "currency", "status"])
    .where("property", "=", property)
    .orderBy("code")
    .execute();
  return rows.map((row) => ({ code: row.code, name: row.name ?? undefined, currency: row.currency ?? undefined, status: row.status }));
}
