import type { Database } from "../../db/database.ts";
import { prepared } from "../../db/prepared.ts";
import type { RatePlanRow } from "../../db/schema.ts";
import { parsePlanDetails, type PlanDetails } from "../../journal/plan-details.ts";

/** A rate plan as its messages told it. */
export type RatePlan = {
  code: string;
  name: string | undefined;
  currency: string | undefined;
  /** `person` or `room`. */
  priceBasis: string | undefined;
  /** OpenTravel code list MPT. */
  mealPlan: string | undefined;
  /** How amounts were told last. */
  taxes: RatePlanRow["taxes"] | undefined;
  /** Its sender has taken it back. */
  removed: boolean;
  /** Name of the sender that named it first; undefined where none was asked for. */
  sender: string | undefined;
  /** Milliseconds since 1970 UTC; the last is known to the minute. */
  firstSeenAt: number;
  lastSeenAt: number;
  details: PlanDetails;
};

/** The rate plans that messages have named for a property, by code. */
export async function plansOf({ read }: Database, property: string): Promise<RatePlan[]> {
  const rows = await plansQuery(read, { property });
  return rows.map((row) => ({
    code: row.code,
    name: row.name ?? undefined,
    currency: row.currency ?? undefined,
    priceBasis: row.price_basis ?? undefined,
    mealPlan: row.meal_plan ?? undefined,
    taxes: row.taxes ?? undefined,
    removed: row.status === "removed",
    sender: row.sender ?? undefined,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    details: parsePlanDetails(row.details),
  }));
}

const plansQuery = prepared((db, { property }: { property: string }) =>
  db.selectFrom("rate_plan").selectAll().where("property", "=", property).orderBy("code"),
);
