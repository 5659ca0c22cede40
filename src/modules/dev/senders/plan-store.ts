import type { Database } from "../../../db/database.ts";

const MAX_PLANS = 200;

/** Returns the codes of a property's rate plans, except removed and retired plans. */
export async function listPlanCodes({ read }: Database, property: string): Promise<string[]> {
  const plans = await read
    .selectFrom("rate_plan")
    .select("code")
    .where("property", "=", property)
    .where("status", "=", "active")
    .orderBy("code")
    .limit(MAX_PLANS)
    .execute();
  return plans.map(({ code }) => code);
}
