import type { Directory, PlanSighting, StoredPlan } from "./work.ts";

/** A plan seen within this time is not written again unless something is new. */
const SIGHTED_WITHIN_MS = 60_000;

type Sight = { property: string; at: number; sender: string | undefined };

/** The rate plans to store: new ones, those with something new, and those last seen a while ago. */
export function sightedPlans({ plans }: Directory, sightings: readonly PlanSighting[], sight: Sight): StoredPlan[] {
  const rows = new Map<string, StoredPlan>();
  for (const sighting of sightings) {
    const known = rows.get(sighting.code) ?? plans.get(sighting.code);
    const row = { ...(known ?? newPlan(sighting.code, sight)), ...given(sighting), last_seen_at: sight.at };
    if (!known || rows.has(row.code) || isNews(known, row)) rows.set(row.code, row);
  }
  return [...rows.values()];
}

function newPlan(code: string, { property, at, sender }: Sight): StoredPlan {
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

function given(sighting: PlanSighting): Partial<StoredPlan> {
  return Object.fromEntries(Object.entries(sighting).filter(([, value]) => value !== undefined));
}

function isNews(known: StoredPlan, row: StoredPlan): boolean {
  if (row.last_seen_at - known.last_seen_at >= SIGHTED_WITHIN_MS) return true;
  return (Object.keys(row) as (keyof StoredPlan)[]).some((column) => column !== "last_seen_at" && row[column] !== known[column]);
}
