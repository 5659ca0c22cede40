/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; strict: string };

/** When each periodic job was last claimed, so that only one of several processes runs it. */
export const up = (t: Types): string[] => [
  `create table job (name text primary key not null, claimed_at ${t.integer} not null)${t.strict}`,
];
