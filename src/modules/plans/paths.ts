import type { PlanKey } from "../../records/plan/plan.ts";
import type { Path } from "../../web/html.ts";
import { path, withQuery } from "../../web/path.ts";

export const PLANS = path`/tools/plans`;

export function plansPath(property: string): Path {
  return withQuery(PLANS, { property });
}

export function planPath({ property, code }: PlanKey, view?: "merge" | "remove"): Path {
  return withQuery(PLANS, { property, plan: code, view });
}
