/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; strict: string };

/**
 * The size of the error log in bytes, in one row, so that pruning never scans the log. Each entry counts 200 bytes for its row and index entries.
 * Entries of earlier versions are counted here, once.
 */
export const up = (t: Types): string[] => [
  `create table error_size (bytes ${t.integer} not null)${t.strict}`,
  `insert into error_size select coalesce(sum(octet_length(class) + octet_length(message) + octet_length(detail) + 200), 0) from error_entry`,
];
