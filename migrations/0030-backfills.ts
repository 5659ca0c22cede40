/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { strict: string };

/** The backfills that are complete. A migration after which one must run again deletes its row. */
export const up = (t: Types): string[] => [`create table backfill (name text primary key not null)${t.strict}`];
