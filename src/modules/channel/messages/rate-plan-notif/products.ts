import type { Place } from "../../report.ts";
import type { Sheet } from "../parts/sheet.ts";
import type { PlanRead } from "./rate-plan.ts";

/**
 * The categories of a plan's rate or rule: the one it names, else the products that the plan lists, else all.
 * OpenTravel lists products once for a plan; some senders, such as XML-Travelgate, name rooms only there.
 */
export function categoriesOf(
  { targets }: Pick<Sheet, "targets">,
  { products }: Pick<PlanRead, "products">,
  { category, at }: { category: string | undefined; at: Place },
): readonly string[] {
  return category !== undefined || products.length === 0 ? targets.categories(category, at) : targets.listed(products);
}
