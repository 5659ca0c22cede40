import type { ImportKind } from "../../records/import/kinds.ts";
import type { Faults, Typed } from "../../web/form.ts";

/** Filters of the list have the names of fields too. */
export function setName(field: string): string {
  return `set-${field}`;
}

export function clearName(field: string): string {
  return `clear-${field}`;
}

/** The new texts by field. An empty text clears the field. */
export function readChanges(fields: readonly string[], typed: Typed): Typed {
  const entries = fields.flatMap((field) => {
    const text = typed[setName(field)] ?? "";
    if (text !== "") return [[field, text] as const];
    return typed[clearName(field)] === "on" ? [[field, ""] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Checks values by the rules of the record's form. Rules about two fields are checked for each record. */
export function changeFaults(kind: ImportKind, changes: Typed): Faults {
  const [first] = kind.fields;
  if (Object.keys(changes).length === 0) return { [setName("status")]: "Choose at least one new value" };
  const { error } = kind.editForm.safeParse({ [first!]: "-", ...changes });
  const faults = (error?.issues ?? []).map(({ path: [field], message }) => [setName(String(field)), message] as const);
  return Object.fromEntries(faults.toReversed());
}
