/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = { integer: string; strict: string };

/** How far time has passed for pruning, and what the clock showed when that was noted: a clock that is ahead must not delete data. */
export const up = (t: Types): string[] => [
  `create table pruning_time (
    name text primary key not null, reached_at ${t.integer} not null, seen_at ${t.integer} not null
  )${t.strict}`,
];
