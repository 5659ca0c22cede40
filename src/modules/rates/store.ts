import type { Database } from "../../db/database.ts";
import { prepareStatement } from "../../db/prepared.ts";
import type { RatePlanRow } from "../../db/schema.ts";
import { parsePlanDetails, type PlanDetails } from "../../journal/plan-details.ts";

export type RatePlan = {
  code: string;
  name: string | undefined;
  currency: string | undefined;
  /** Whether prices are per `person` or per `room`. */
  priceBasis: string | undefined;
  /** Code in OpenTravel code list MPT. */
  mealPlan: string | undefined;
  /** Whether the last amounts were before or after tax. */
  taxes: RatePlanRow["taxes"] | undefined;
  status: string;
  /** The sender that first used the plan. Undefined if that sender was anonymous (open access). */
  sender: string | undefined;
  /** In milliseconds since 1970. `lastSeenAt` may lag by up to a minute. */
  firstSeenAt: number;
  lastSeenAt: number;
  details: PlanDetails;
};

export async function listRatePlans({ read }: Database, property: string): Promise<RatePlan[]> {
  const rows = await plansQuery(read, { property });
  return rows.map((row) => ({
    code: row.code,
    name: row.name ?? undefined,
    currency: row.currency ?? undefined,
    priceBasis: row.price_basis ?? undefined,
    mealPlan: row.meal_plan ?? undefined,
    taxes: row.taxes ?? undefined,
    status: row.status,
    sender: row.sender ?? undefined,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    details: parsePlanDetails(row.details),
  }));
}

const plansQuery = prepareStatement((db, { property }: { property: string }) =>
  db.selectFrom("rate_plan").selectAll().where("property", "=", property).orderBy("code"),
);
