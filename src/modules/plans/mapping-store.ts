import type { Database } from "../../db/database.ts";
import type { PlanKey } from "../../records/plan/plan.ts";

/** A sender's code that is mapped to a rate plan. */
export type MappedCode = { sender: string; code: string };

export function listMappedCodes({ read }: Database, { property, code }: PlanKey): Promise<MappedCode[]> {
  return read
    .selectFrom("sender_code")
    .select(["sender", "code"])
    .where("kind", "=", "plan")
    .where("property", "=", property)
    .where("target", "=", code)
    .orderBy("sender")
    .execute();
}
