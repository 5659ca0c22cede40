import type { Database } from "../../../db/database.ts";
import type { CategoryRow, RatePlanRow } from "../../../db/schema.ts";

/** Returns the property's categories and rate plans. */
export async function listKnownRecords({ read }: Database, property: string): Promise<{ categories: CategoryRow[]; plans: RatePlanRow[] }> {
  const [categories, plans] = await Promise.all([
    read.selectFrom("category").selectAll().where("property", "=", property).execute(),
    read.selectFrom("rate_plan").selectAll().where("property", "=", property).execute(),
  ]);
  return { categories, plans };
}
