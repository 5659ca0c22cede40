import { DAY_MS } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { pullBack } from "../db/pull-back.ts";

/** Otherwise a property whose last message came while the clock was far ahead were not silent until then, nor its last complete set old. */
export function pullBackActivity(database: Database, now: number): Promise<void> {
  const columns = ["last_message_at", "last_complete_set_at", "last_rate_plan_set_at"];
  return pullBack(database, { table: "property_activity", columns, now, most: DAY_MS });
}
