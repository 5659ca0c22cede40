/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = { integer: string };

/** A complete set of rate plans says nothing of how old the counts are: each kind has a moment of its own. */
export const up = (t: Types): string[] => [`alter table property_activity add column last_rate_plan_set_at ${t.integer}`];
