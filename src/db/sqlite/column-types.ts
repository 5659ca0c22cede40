import type { ColumnTypes } from "../database.ts";

/** The column types of SQLite. */
export const columnTypes: ColumnTypes = {
  integer: "integer",
  bytes: "blob",
  bytewise: "text",
  serial: "integer primary key autoincrement",
  strict: " strict",
  keyed: " strict, without rowid",
  batchCounter: "create table counter (name text primary key, value integer not null) strict",
};
