import type { ErrorEntryRow } from "../../db/schema.ts";
import type { NewErrorRow } from "./store.ts";

/** Estimated size of an entry's row header and index entries. */
export const OVERHEAD_BYTES = 200;

/** The size of an entry, as `entrySize` computes it in SQL. */
export function bytesOf({ class: name, message, detail }: Pick<ErrorEntryRow, "class" | "message" | "detail">): number {
  return Buffer.byteLength(`${name}${message}${detail}`) + OVERHEAD_BYTES;
}

export function totalBytes(rows: readonly NewErrorRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}
