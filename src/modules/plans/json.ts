import type { StoredPlanEdit } from "../../journal/plan-edits.ts";
import type { PlanLine } from "./list-page.ts";

export function planJson({ last, createdAt, updatedAt, lastSeenAt, ...plan }: PlanLine): object {
  return {
    ...plan,
    lastPrices: last && { message: last.message, at: iso(last.at), sender: last.sender },
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    lastSeenAt: iso(lastSeenAt),
  };
}

export function editsJson(edits: readonly StoredPlanEdit[]): object[] {
  return edits.map(({ at, ...edit }) => ({ ...edit, at: iso(at) }));
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
