import type { Import, LineOutcome } from "../../records/import/store.ts";
import { ENCODINGS, type Encoding } from "./decode.ts";

export const STATE_LABELS: Record<Import["state"], string> = {
  uploading: "Uploading",
  columns: "Choose columns",
  reading: "Reading",
  ready: "Preview",
  importing: "Importing",
  done: "Imported",
  undoing: "Undoing",
  undone: "Undone",
};

export const OUTCOME_LABELS: Record<LineOutcome, string> = { new: "New", changed: "Changed", unchanged: "Unchanged", fault: "Invalid" };

const DELIMITER_LABELS: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars" };

/** Returns text such as `CSV with semicolons, Windows-1252`. */
export function describeFile({ source, name, delimiter, encoding }: Import): string {
  if (source === "bulk edit") return name;
  if (source === "json") return `${name}, JSON`;
  return `${name}, CSV with ${DELIMITER_LABELS[delimiter] ?? `“${delimiter}”`}, ${ENCODINGS[encoding as Encoding] ?? encoding}`;
}
