import type { ImportKind } from "../../records/import/kinds.ts";
import type { Faults, TypedValues } from "../../web/form.ts";

/** Returns the name of an input. The prefix avoids clashes with the list's filters, some of which are named like fields. */
export function valueInputName(field: string): string {
  return `set-${field}`;
}

export function clearInputName(field: string): string {
  return `clear-${field}`;
}

/** Returns the new values by field. An empty string clears the field. */
export function readChanges(fields: readonly string[], typed: TypedValues): TypedValues {
  const entries = fields.flatMap((field) => {
    const text = typed[valueInputName(field)] ?? "";
    if (text !== "") return [[field, text] as const];
    return typed[clearInputName(field)] === "on" ? [[field, ""] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** Validates values with the rules of the record's form. Rules that involve two fields are checked later, for each record. */
export function changeFaults(kind: ImportKind, changes: TypedValues): Faults {
  const [first] = kind.fields;
  if (Object.keys(changes).length === 0) return { [valueInputName("status")]: "Choose at least one new value" };
  const { error } = kind.editForm.safeParse({ [first!]: "-", ...changes });
  const faults = (error?.issues ?? []).map(({ path: [field], message }) => [valueInputName(String(field)), message] as const);
  return Object.fromEntries(faults.toReversed());
}
