import { changesBetween } from "../../records/audit.ts";
import { type ImportKind, keyText } from "../../records/import/kinds.ts";
import type { Import, ImportLine } from "../../records/import/store.ts";
import type { ImportView } from "./import-view.ts";

export function importJson(file: Import) {
  const { id, kind, source, name, state, fault, created_by: createdBy, finished_by: finishedBy, undone_by: undoneBy } = file;
  return {
    ...{ id, kind, source, name, state, fault },
    ...{
      createdBy,
      createdAt: iso(file.created_at),
      finishedBy,
      finishedAt: iso(file.finished_at),
      undoneBy,
      undoneAt: iso(file.undone_at),
    },
  };
}

export function importViewJson({ file, kind, counts, lines, page, size, progress }: ImportView) {
  const { encoding, delimiter, header, columns } = file;
  return {
    ...importJson(file),
    ...{ encoding, delimiter, columns: columnsJson(header, columns) },
    ...{ counts, progress: progress ?? null, page, size, rows: lines.map((line) => lineJson(line, kind)) },
  };
}

export function columnsJson(header: Import["header"], columns: Import["columns"]) {
  return header.map((name, index) => ({ name, field: columns[index] ?? null }));
}

function lineJson({ line, outcome, detail: { record, before, faults = [] }, ...key }: ImportLine, kind: ImportKind) {
  return { row: line, outcome, record: keyText(key), changes: record ? changesBetween(before, record, kind.fields) : [], faults };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
