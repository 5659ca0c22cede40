/** The types in which the engines differ, handed in by the engine that runs the migration. */
type Types = { integer: string; strict: string };

/** What is left out of the error log is counted by the rule that left it out. */
export const up = (t: Types): string[] => [
  `create table error_drop (
    rule text primary key not null, count ${t.integer} not null, first_at ${t.integer} not null, last_at ${t.integer} not null
  )${t.strict}`,
];
