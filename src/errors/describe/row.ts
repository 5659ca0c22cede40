import { randomBytes } from "node:crypto";
import type { ErrorDetail, NewErrorEntry } from "../entry.ts";
import { bytesOf } from "../storage/row-size.ts";
import type { NewErrorRow } from "../storage/store.ts";
import { groupingOf } from "./grouping.ts";

const PROCESS = randomBytes(9).toString("base64url");
let count = 0;

/** The row of an entry, under a key of its own. */
export function toRow(entry: NewErrorEntry, group = groupingOf(entry)): NewErrorRow {
  const { at, class: name, message, source, caught, status, detail } = entry;
  const key = `${PROCESS}-${++count}`;
  const text = `${JSON.stringify(detail).slice(0, -1)},"key":"${key}"}`;
  const row = { at, class: name, message, source, caught: caught ? 1 : 0, status: status ?? null, detail: text };
  return { ...row, key, group, bytes: bytesOf(row) };
}

/** A row as a version without groups stored it, with its group. */
export function regroup<Row extends Omit<NewErrorRow, "group" | "key" | "bytes">>(row: Row): Row & Pick<NewErrorRow, "group"> {
  const { trace } = JSON.parse(row.detail) as ErrorDetail;
  return { ...row, group: groupingOf({ ...row, detail: { trace } }) };
}

/** The entry of an error that cannot be described, for `reason`. It looks at nothing that could fail again. */
export function fallbackEntry(reason: unknown, at: number): NewErrorEntry {
  const message = `An error could not be described: ${reason instanceof Error ? reason.name : typeof reason}`;
  return {
    at,
    class: "Error",
    message,
    source: "php",
    caught: false,
    status: 500,
    detail: {
      object: { status: 500, message, code: 0, file: "", line: 0 },
      trace: ["#0 {main}"],
      server: {},
      get: [],
      session: null,
      extra: {},
    },
  };
}
