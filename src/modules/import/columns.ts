import { type ImportKind, IMPORT_KINDS } from "../../records/import/kinds.ts";
import { TIME_FIELDS } from "../../records/import/read-row.ts";
import type { Choices } from "../../text.ts";

/** The field of each column of the header, or null if the column is ignored. */
export type ColumnMapping = readonly (string | null)[];

/** Matches columns to fields by name, label or alias, ignoring case, spaces and punctuation. Uses each field once. */
export function matchColumns(kind: ImportKind, header: readonly string[]): ColumnMapping {
  const names = columnNames(kind);
  const usedFields = new Set<string>();
  return header.map((title) => {
    const field = names.get(normaliseTitle(title));
    if (field === undefined || usedFields.has(field)) return null;
    usedFields.add(field);
    return field;
  });
}

/** Returns every field that a column can be mapped to, with its label. */
export function fieldChoices({ keys, fields, labels }: ImportKind): Choices {
  return [...[...keys, ...fields].map((field) => [field, labels[field] ?? field] as const), ...Object.entries(TIME_FIELDS)];
}

function columnNames(kind: ImportKind): ReadonlyMap<string, string> {
  const all = fieldChoices(kind);
  return new Map([
    ...Object.entries(kind.aliases),
    ...all.map(([field, label]) => [normaliseTitle(label), field] as const),
    ...all.map(([field]) => [normaliseTitle(field), field] as const),
  ]);
}

function normaliseTitle(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Columns of our exports that no import can set. */
const READ_ONLY_COLUMNS = new Set(["version", "categories", "lastmessageat"]);

export function isReadOnly(title: string): boolean {
  return READ_ONLY_COLUMNS.has(normaliseTitle(title));
}

/** Returns the record type that matches the most columns. Categories win a tie with properties, because their key has more columns. */
export function guessKind(header: readonly string[]): ImportKind {
  const completeKinds = IMPORT_KINDS.filter((kind) => missingColumns(kind, matchColumns(kind, header)).length === 0);
  const candidates = completeKinds.length === 0 ? IMPORT_KINDS : completeKinds;
  return candidates.toSorted((a, b) => scoreKind(b, header) - scoreKind(a, header))[0]!;
}

function scoreKind(kind: ImportKind, header: readonly string[]): number {
  return matchColumns(kind, header).filter((field) => field !== null).length + kind.keys.length / 10;
}

/** Returns the labels of the key columns that are missing. */
export function missingColumns({ keys, labels }: ImportKind, columns: ColumnMapping): string[] {
  return keys.filter((key) => !columns.includes(key)).map((key) => labels[key]!);
}
