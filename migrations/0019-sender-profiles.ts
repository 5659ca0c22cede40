/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; strict: string };

/** How a sender's messages are meant: the name of a preset, and as JSON what differs from it. */
export const up = (_t: Types): string[] => [`alter table sender add column profile text`, `alter table sender add column settings text`];
