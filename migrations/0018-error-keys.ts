/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; strict: string };

/** The recorder's own key of an entry, by which it finds the row before it knows the id. Earlier versions kept it inside `detail`. */
export const up = (_t: Types): string[] => [`alter table error_entry add column key text`];
