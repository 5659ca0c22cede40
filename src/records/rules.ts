import { z } from "zod";
import {
  BLANK_PATTERN,
  type Choices,
  INVISIBLE_PATTERN,
  INVISIBLE_IN_TEXT_PATTERN,
  isVisible,
  characterCount,
  quote,
  yesNoChoices,
} from "../text.ts";

/** Each rule checks one form field. A missing field is treated as empty. Every error message says what is allowed. */

/** Rejects U+FFFD, which replaces bytes that were not valid UTF-8. */
const textSchema = z
  .string()
  .default("")
  .refine((text) => !text.includes("\ufffd"), "Re-enter this text; � replaces characters that were not valid UTF-8");

export function requiredLineRule(max: number, message: string) {
  return visibleLineSchema.refine((text) => !BLANK_PATTERN.test(text) && characterCount(text) <= max, message);
}

/** A rule for a single line of up to `max` characters, or undefined. `test` is not called for an empty field. */
export function optionalLineRule(max: number, message: string, test: (text: string) => boolean = () => true) {
  return visibleLineSchema
    .refine((text) => text === "" || (characterCount(text) <= max && test(text)), message)
    .transform(emptyToUndefined);
}

export function optionalTextRule(max: number, message: string) {
  return textSchema
    .refine((text) => !INVISIBLE_IN_TEXT_PATTERN.test(text), "Remove control characters; line breaks and tabs are allowed")
    .refine((text) => characterCount(text) <= max, message)
    .transform(emptyToUndefined);
}

const visibleLineSchema = textSchema.refine(
  (text) => !INVISIBLE_PATTERN.test(text),
  "Remove line breaks, tabs and other invisible characters",
);

export function choiceRule(test: (text: string) => boolean, fallback: string, message: string) {
  return textSchema.transform((text) => (text === "" ? fallback : text)).refine(test, message);
}

export function optionalChoiceRule(test: (text: string) => boolean, message: string) {
  return textSchema.refine((text) => text === "" || test(text), message).transform(emptyToUndefined);
}

const TICKED_VALUES = ["on", "1", "true"];
const UNTICKED_VALUES = ["", "off", "0", "false"];

export function checkboxRule(fallback: boolean) {
  return z
    .string()
    .default(fallback ? "on" : "")
    .refine((text) => TICKED_VALUES.includes(text) || UNTICKED_VALUES.includes(text), "Enter on or off, 1 or 0, true or false")
    .transform((text) => TICKED_VALUES.includes(text));
}

/** A record field. `choices` labels its values; `yesNoChoices` is for flags. */
type RecordField = { label: string; rule: z.ZodType; choices?: () => Choices };
type RecordFields = Readonly<Record<string, RecordField>>;

export function flagField(label: string, fallback: boolean) {
  return { label, rule: checkboxRule(fallback), choices: yesNoChoices };
}

export function rulesByField<Fields extends RecordFields>(fields: Fields) {
  const rules = Object.entries(fields).map(([name, { rule }]) => [name, rule]);
  return Object.fromEntries(rules) as { [Name in keyof Fields]: Fields[Name]["rule"] };
}

export function fieldWords<Fields extends RecordFields>(fields: Fields) {
  const entries = Object.entries(fields);
  return {
    labels: Object.fromEntries(entries.map(([name, { label }]) => [name, label])) as Record<keyof Fields & string, string>,
    choices: Object.fromEntries(entries.flatMap(([name, { choices }]) => (choices ? [[name, choices] as const] : []))),
  };
}

export function flagNames(fields: RecordFields): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.choices === yesNoChoices);
}

type NumberLimits = { min: number; max: number; message: string };

/** A rule for a whole number of up to nine digits. An empty field becomes `fallback`. */
export function integerRule(fallback: number, { min, max, message }: NumberLimits) {
  return textSchema
    .refine((text) => text === "" || isIntegerText(text, min, max), message)
    .transform((text) => (text === "" ? fallback : Number(text)));
}

/** A rule for a decimal number. Accepts a decimal comma, because numeric keypads on many phones have no point. */
export function optionalDecimalRule(message: string, test: (text: string) => boolean) {
  return visibleLineSchema
    .transform((text) => text.replace(",", "."))
    .refine((text) => text === "" || test(text), message)
    .transform(emptyToUndefined);
}

export function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

export function optionalIntegerRule({ min, max, message }: NumberLimits) {
  return textSchema
    .refine((text) => text === "" || isIntegerText(text, min, max), message)
    .transform((text) => (text === "" ? undefined : Number(text)));
}

/** A rule for a comma-separated list without duplicates. `read` normalises a word, or returns undefined if it is not allowed. */
export function optionalListRule(max: number, message: string, read: (word: string) => string | undefined) {
  return textSchema.transform((text, context) => {
    const words = text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter(Boolean);
    const list = [...new Set(words.map(read))].join(", ");
    const invalidWord = words.find((word) => !isVisible(word) || read(word) === undefined);
    if (invalidWord === undefined && characterCount(list) <= max) return emptyToUndefined(list);
    const tooLongText = `Enter up to ${max.toLocaleString("en")} characters in total`;
    context.addIssue({
      code: "custom",
      message: invalidWord === undefined ? tooLongText : `${message}. Not valid: “${quote(invalidWord)}”`,
    });
    return z.NEVER;
  });
}

/** Options for a rule over several `fields`, checked only if each field is valid on its own. The error is shown at the field `at`. */
export function crossFieldRule(fields: readonly string[], at: string, message: string) {
  return {
    path: [at],
    message,
    when: ({ issues }: z.core.ParsePayload) => !issues.some((issue) => fields.includes(String(issue.path?.[0]))),
  };
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text);
}

function isIntegerText(text: string, min: number, max: number): boolean {
  return /^-?\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function emptyToUndefined(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Builds a list on first use. Loading language names at startup would account for 10% of the startup time. */
export function memoizeChoices(build: () => Choices): () => Choices {
  let built: Choices | undefined;
  return () => (built ??= build());
}

export function createMembershipTest(choices: () => Choices): (value: string) => boolean {
  let values: ReadonlySet<string> | undefined;
  return (value) => (values ??= new Set(choices().map(([one]) => one))).has(value);
}
