import type { Directory, PlanMention, StoredPlan } from "./work.ts";

/** Minimum time between two writes of an unchanged plan. */
const WRITE_INTERVAL_MS = 60_000;

type Origin = { property: string; at: number; sender: string | undefined };

export function updatedPlans({ plans }: Directory, mentions: readonly PlanMention[], origin: Origin): StoredPlan[] {
  const rows = new Map<string, StoredPlan>();
  for (const mention of mentions) {
    const known = rows.get(mention.code) ?? plans.get(mention.code);
    const row = { ...(known ?? newPlan(mention.code, origin)), ...definedFields(mention), last_seen_at: origin.at };
    if (!known || rows.has(row.code) || isChanged(known, row)) rows.set(row.code, row);
  }
  return [...rows.values()];
}

function newPlan(code: string, { property, at, sender }: Origin): StoredPlan {
  return {
    property,
    code,
    name: null,
    currency: null,
    price_basis: null,
    meal_plan: null,
    taxes: null,
    status: "active",
    details: null,
    sender: sender ?? null,
    first_seen_at: at,
    last_seen_at: at,
  };
}

function definedFields(mention: PlanMention): Partial<StoredPlan> {
  return Object.fromEntries(Object.entries(mention).filter(([, value]) => value !== undefined));
}

function isChanged(known: StoredPlan, row: StoredPlan): boolean {
  return row.last_seen_at - known.last_seen_at >= WRITE_INTERVAL_MS || hasNewValues(known, row);
}

/** Whether a plan is new or has changes other than its last-seen time. */
export function hasNewValues(known: StoredPlan | undefined, row: StoredPlan): boolean {
  if (known === undefined) return true;
  return (Object.keys(row) as (keyof StoredPlan)[]).some((column) => column !== "last_seen_at" && row[column] !== known[column]);
}
