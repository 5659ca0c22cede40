import type { PlanKey } from "../../records/plan/plan.ts";
import type { Path } from "../../web/html.ts";
import { path, withQuery } from "../../web/path.ts";

export const PLANS_PATH = path`/tools/plans`;

export function plansPath(property: string): Path {
  return withQuery(PLANS_PATH, { property });
}

export function planPath({ property, code }: PlanKey, view?: "merge" | "remove"): Path {
  return withQuery(PLANS_PATH, { property, plan: code, view });
}
