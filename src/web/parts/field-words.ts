import { excerpt } from "../../text.ts";
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

/** How much of a value is shown, and how much of what two values have in common before they differ. */
const SHOWN = 120;
const BEFORE = 30;
/** What an empty value is called. */
export const NOTHING = "nothing";

/** What people call a field; of one that no form has, its name. */
export function labelOf(field: string, { labels }: FieldWords): string {
  return ownOf(labels, field) ?? field;
}

/** A value as the form words it, or its beginning when it is too long to be shown. */
export function valueWords(field: string, value: string, words: FieldWords): string {
  return chosenWords(field, value, words) ?? (excerpt(value, 0, SHOWN) || NOTHING);
}

/** Two values as the form words them; of long ones what stands around the place from which they differ. */
export function pairWords(field: string, pair: readonly [string, string], words: FieldWords): [string, string] {
  const same = commonLength(pair);
  const from = same > SHOWN / 2 ? same - BEFORE : 0;
  const show = (value: string) => (isLong(value) ? excerpt(value, from, SHOWN) : valueWords(field, value, words));
  return [show(pair[0]), show(pair[1])];
}

/** Whether a value is too long to be shown whole. */
export function isLong(value: string): boolean {
  return value.length > SHOWN;
}

function commonLength([one, other]: readonly [string, string]): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** What people call a value that is chosen from a list. */
export function chosenWords(field: string, value: string, { choices }: FieldWords): string | undefined {
  return ownOf(choices, field)?.find(([one]) => one === value)?.[1];
}

/** A client may name a field after what every object has. */
function ownOf<Value>(named: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined;
}
