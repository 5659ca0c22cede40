import { randomBytes } from "node:crypto";
import type { ErrorEntryRow } from "../../db/schema.ts";
import { type Grouping, groupingOf } from "../describe/grouping.ts";
import type { ErrorDetail, NewErrorEntry } from "../entry.ts";
import { rowBytes } from "./size-store.ts";

/** By its `key`, a row can be found before its id is known. */
export type NewErrorRow = Omit<ErrorEntryRow, "id" | "key" | "group_id"> & { key: string; group: Grouping; bytes: number };

const PROCESS = randomBytes(9).toString("base64url");
let count = 0;

export function toRow(entry: NewErrorEntry, group = groupingOf(entry)): NewErrorRow {
  const { at, class: name, message, source, caught, status, detail } = entry;
  const key = `${PROCESS}-${++count}`;
  const row = { at, class: name, message, source, caught: caught ? 1 : 0, status: status ?? null, detail: JSON.stringify(detail) };
  return { ...row, key, group, bytes: rowBytes(row) };
}

/** Adds the group to a row that was stored by a version without groups. */
export function withGroup<Row extends Omit<NewErrorRow, "group" | "key" | "bytes">>(row: Row): Row & Pick<NewErrorRow, "group"> {
  const { trace } = JSON.parse(row.detail) as ErrorDetail;
  return { ...row, group: groupingOf({ ...row, detail: { trace } }) };
}

export function totalBytes(rows: readonly NewErrorRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}
