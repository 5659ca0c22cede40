/** The types in which the engines differ, passed in by the engine that runs the migration. */
type Types = { integer: string; bytes: string; bytewise: string; serial: string; strict: string };

/** Uploaded files, their rows as the preview shows them, and what the undo of an import needs. */
export const up = (t: Types): string[] => [
  `create table import (
    id ${t.serial}, kind text not null, source text not null, name text not null, encoding text not null, delimiter text not null,
    header text not null, columns text not null, state text not null, fault text, created_by ${t.bytewise} not null,
    created_at ${t.integer} not null, finished_by ${t.bytewise}, finished_at ${t.integer}, undone_by ${t.bytewise}, undone_at ${t.integer}
  )${t.strict}`,
  `create index import_created on import (created_at)`,
  `create table import_part (
    import ${t.integer} not null, part ${t.integer} not null, bytes ${t.bytes} not null, primary key (import, part)
  )${t.strict}`,
  `create table import_row (
    import ${t.integer} not null, line ${t.integer} not null, outcome text not null, property text not null, code text not null,
    detail text not null, primary key (import, line)
  )${t.strict}`,
  `create index import_row_outcome on import_row (import, outcome, line)`,
];
