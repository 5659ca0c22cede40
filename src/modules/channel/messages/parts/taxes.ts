import { taxOf } from "../../../../calendar/amounts.ts";
import type { Operation } from "../../../../calendar/operation.ts";
import type { PlanMention } from "../../../../journal/work.ts";

type Taxes = NonNullable<PlanMention["taxes"]>;

/** How the operations tell the amounts of each rate plan: before tax, after it, or both. Plans without new amounts are absent. */
export function taxesOf(operations: readonly Operation[]): ReadonlyMap<string, Taxes> {
  const found = new Map<string, Taxes>();
  for (const operation of operations) {
    if (operation.type === "clear" || operation.group !== "amounts") continue;
    for (const column of operation.values.keys()) {
      const tax = taxOf(column);
      if (tax) found.set(operation.lane, (found.get(operation.lane) ?? tax) === tax ? tax : "both");
    }
  }
  return found;
}
