import { type Choices, textExcerpt } from "../../text.ts";

export type FieldWords = {
  labels: Readonly<Record<string, string>>;
  choices: Readonly<Record<string, () => Choices>>;
};

/** Maximum length of a displayed value, and of the common part before a difference. */
const MAX_VALUE_LENGTH = 120;
const COMMON_PREFIX_LENGTH = 30;
export const EMPTY_VALUE_TEXT = "nothing";

export function fieldLabel(field: string, { labels }: FieldWords): string {
  return ownValue(labels, field) ?? field;
}

export function describeValue(field: string, value: string, words: FieldWords): string {
  return valueLabel(field, value, words) ?? (textExcerpt(value, 0, MAX_VALUE_LENGTH) || EMPTY_VALUE_TEXT);
}

/** Describes two values as displayed in the form. Long values are shortened around their first difference. */
export function describePair(field: string, valuePair: readonly [string, string], words: FieldWords): [string, string] {
  const sharedLength = commonLength(valuePair);
  const from = sharedLength > MAX_VALUE_LENGTH / 2 ? sharedLength - COMMON_PREFIX_LENGTH : 0;
  const showValue = (value: string) =>
    isLongValue(value) ? textExcerpt(value, from, MAX_VALUE_LENGTH) : describeValue(field, value, words);
  return [showValue(valuePair[0]), showValue(valuePair[1])];
}

export function isLongValue(value: string): boolean {
  return value.length > MAX_VALUE_LENGTH;
}

function commonLength([one, other]: readonly [string, string]): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

export function valueLabel(field: string, value: string, { choices }: FieldWords): string | undefined {
  return ownValue(choices, field)?.().find(([one]) => one === value)?.[1];
}

/** Returns a record's own value, because clients may name a field `constructor` or `toString`. */
function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

export function choiceLabel(choices: Choices, value: string): string {
  return choices.find(([one]) => one === value)?.[1] ?? value;
}
