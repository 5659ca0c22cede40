/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string };

/** The index finds the edits of a property's rate plans, which are few among its messages. */
export const up = (t: Types): string[] => [
  `alter table rate_plan add column parent_note text`,
  `alter table rate_plan add column version ${t.integer} not null default 1`,
  `alter table rate_plan add column updated_at ${t.integer}`,
  `create index message_record on message (property, id) where via = 'record'`,
];
