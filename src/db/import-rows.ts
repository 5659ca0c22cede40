import type { Generated } from "kysely";

/**
 * `kind` is a record type. `header` is a JSON array of column names; `columns` is a JSON array with the field of each column, or null for
 * ignored columns. `fault` is the reason why the last step failed.
 */
export type ImportRow = {
  id: Generated<number>;
  kind: string;
  source: "csv" | "json" | "bulk edit";
  name: string;
  encoding: string;
  delimiter: string;
  header: string;
  columns: string;
  state: "uploading" | "columns" | "reading" | "ready" | "importing" | "done" | "undoing" | "undone";
  fault: string | null;
  created_by: string;
  created_at: number;
  finished_by: string | null;
  finished_at: number | null;
  undone_by: string | null;
  undone_at: number | null;
};

/** A part of the file, as compressed UTF-8. `part` is its position. */
export type ImportPartRow = { import: number; part: number; bytes: Uint8Array };

/** One row of the file. `line` counts the header as 1. `detail` is JSON: the record before and after, or the faults. */
export type ImportLineRow = {
  import: number;
  line: number;
  outcome: "new" | "changed" | "unchanged" | "fault";
  property: string;
  code: string;
  detail: string;
};
