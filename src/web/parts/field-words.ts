import type { Choices } from "./field.ts";

/** What people call each field, and the values of those that are chosen from a list. */
export type FieldWords = {
  labels: Readonly<Record<string, string>>;
  choices: Readonly<Record<string, Choices>>;
};

/** The values of a field that is ticked or not. */
export const TICKED = [
  ["on", "Yes"],
  ["", "No"],
] as const;

/** How much of a value is shown. */
const SHOWN = 120;
/** What an empty value is called. */
export const NOTHING = "nothing";

/** What people call a field; of one that no form has, its name. */
export function labelOf(field: string, { labels }: FieldWords): string {
  return ownOf(labels, field) ?? field;
}

/** A value as the form words it, or its beginning when it is too long to be shown. */
export function valueWords(field: string, value: string, words: FieldWords): string {
  return chosenWords(field, value, words) ?? (shorten(value) || NOTHING);
}

/** What people call a value that is chosen from a list. */
export function chosenWords(field: string, value: string, { choices }: FieldWords): string | undefined {
  return ownOf(choices, field)?.find(([one]) => one === value)?.[1];
}

/** A client may name a field after what every object has. */
function ownOf<Value>(named: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined;
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
