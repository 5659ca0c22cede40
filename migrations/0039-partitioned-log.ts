/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { partitioned(table: string, key: string): string[] };

/** Partitions the message log by message ID, so that old parts of it can be dropped. */
export const up = (t: Types): string[] => [
  ...t.partitioned("message", "id"),
  ...t.partitioned("message_body", "message"),
  ...t.partitioned("night_undo", "message"),
];
