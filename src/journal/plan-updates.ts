import type { PropertyRecords, PlanMention, StoredPlan } from "./work.ts";

/** Minimum time between two writes of an unchanged plan. */
const WRITE_INTERVAL_MS = 60_000;

type PlanOrigin = { property: string; at: number; sender: string | undefined };

export function updatedPlans({ plans }: PropertyRecords, mentions: readonly PlanMention[], origin: PlanOrigin): StoredPlan[] {
  const rows = new Map<string, StoredPlan>();
  for (const mention of mentions) {
    const knownPlan = rows.get(mention.code) ?? plans.get(mention.code);
    const before = knownPlan ?? newPlan(mention.code, origin);
    const row = withVersion(plans.get(mention.code), { ...before, ...definedFields(mention, before), last_seen_at: origin.at });
    if (!knownPlan || rows.has(row.code) || hasChanged(knownPlan, row)) rows.set(row.code, row);
  }
  return [...rows.values()];
}

function newPlan(code: string, { property, at, sender }: PlanOrigin): StoredPlan {
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
    parent_note: null,
    version: 1,
    updated_at: null,
  };
}

/** Returns the fields that a message sets. Keeps a retired plan's status, because only a user can restore the plan. */
function definedFields(mention: PlanMention, { status }: StoredPlan): Partial<StoredPlan> {
  const fields = status === "retired" ? { ...mention, status } : mention;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Increases the version if a message changes the plan, so that saving an open edit form causes a conflict. */
function withVersion(stored: StoredPlan | undefined, row: StoredPlan): StoredPlan {
  if (stored === undefined) return row;
  const unchangedRow = { ...row, version: stored.version };
  return hasNewValues(stored, unchangedRow) ? { ...unchangedRow, version: stored.version + 1 } : unchangedRow;
}

function hasChanged(known: StoredPlan, row: StoredPlan): boolean {
  return row.last_seen_at - known.last_seen_at >= WRITE_INTERVAL_MS || hasNewValues(known, row);
}

/** Returns whether a plan is new or has changes other than its last-seen time. */
export function hasNewValues(known: StoredPlan | undefined, row: StoredPlan): boolean {
  if (known === undefined) return true;
  return (Object.keys(row) as (keyof StoredPlan)[]).some((column) => column !== "last_seen_at" && row[column] !== known[column]);
}
