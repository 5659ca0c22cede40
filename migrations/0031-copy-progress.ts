/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; strict: string };

/** Has rows only while this database is the unfinished copy of another. `last_key` is JSON. The row without a table names the source. */
export const up = (t: Types): string[] => [
  `create table copy_progress (
    name text primary key not null, source text, last_key text, finished ${t.integer} not null
  )${t.strict}`,
];
