import { z } from "zod";
import { quoted } from "./form.ts";
import { amount } from "./parts/amount.ts";

/** Rules for form fields. A field that was not sent counts as empty. */

/** Control characters, unusual line ends, and marks that change the text direction of what follows on the page. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE_IN_TEXT = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const BLANK = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text) && !BLANK.test(text);
}

/** Makes text from a machine pass these rules: line ends become `\n`, invisible characters go, and invalid UTF-8 becomes `?`. */
export function visibleText(text: string): string {
  const lines = text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replaceAll("\ufffd", "?");
  return lines.replaceAll(new RegExp(INVISIBLE_IN_TEXT, "gu"), "");
}

/** Invalid UTF-8 was decoded as U+FFFD. */
const utf8 = z
  .string()
  .default("")
  .refine((text) => !text.includes("\ufffd"), "Re-enter this text; it was not valid UTF-8");

/** One line of 1 to `max` characters, not all of them blank. */
export function requiredLine(max: number, message: string) {
  return line.refine((text) => !BLANK.test(text) && lengthOf(text) <= max, message);
}

/** One line of up to `max` characters, or nothing. `test` is not called for an empty line. */
export function optionalLine(max: number, message: string, test: (text: string) => boolean = () => true) {
  return line.refine((text) => text === "" || (lengthOf(text) <= max && test(text)), message).transform(orUndefined);
}

export function optionalText(max: number, message: string) {
  return utf8
    .refine((text) => !INVISIBLE_IN_TEXT.test(text), "Remove control characters; line breaks and tabs are allowed")
    .refine((text) => lengthOf(text) <= max, message)
    .transform(orUndefined);
}

const line = utf8.refine((text) => !INVISIBLE.test(text), "Remove line breaks, tabs and other invisible characters");

export function lengthOf(text: string): number {
  return Array.from(text).length;
}

export function choice(test: (text: string) => boolean, fallback: string, message: string) {
  return utf8.transform((text) => (text === "" ? fallback : text)).refine(test, message);
}

export function optionalChoice(test: (text: string) => boolean, message: string) {
  return utf8.refine((text) => text === "" || test(text), message).transform(orUndefined);
}

const ON = ["on", "1", "true"];
const OFF = ["", "off", "0", "false"];

export function tick(fallback: boolean) {
  return z
    .string()
    .default(fallback ? "on" : "")
    .refine((text) => ON.includes(text) || OFF.includes(text), "Use on or off, 1 or 0, true or false")
    .transform((text) => ON.includes(text));
}

type Limits = { min: number; max: number; message: string };

/** A whole number of up to nine digits; `fallback` if empty. */
export function wholeNumber(fallback: number, limits: Limits) {
  return optionalWhole(limits).transform((number) => number ?? fallback);
}

/** A number that passes `test`, or nothing. Accepts a decimal comma, because the number keys of many phones have no point. */
export function optionalDecimal(message: string, test: (text: string) => boolean) {
  return line
    .transform((text) => text.replace(",", "."))
    .refine((text) => text === "" || test(text), message)
    .transform(orUndefined);
}

export function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

export function optionalWhole({ min, max, message }: Limits) {
  return utf8
    .refine((text) => text === "" || isWhole(text, min, max), message)
    .transform((text) => (text === "" ? undefined : Number(text)));
}

/** Values separated by commas, without duplicates. `read` normalizes a value and returns undefined if it is not allowed. */
export function optionalList(max: number, message: string, read: (word: string) => string | undefined) {
  return utf8.transform((text, context) => {
    const words = text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter(Boolean);
    const list = [...new Set(words.map(read))].join(", ");
    const wrong = words.find((word) => !isVisible(word) || read(word) === undefined);
    if (wrong === undefined && lengthOf(list) <= max) return orUndefined(list);
    const tooLong = `Enter at most ${amount(max)} characters in total`;
    context.addIssue({ code: "custom", message: wrong === undefined ? tooLong : `${message}; not “${quoted(wrong)}”` });
    return z.NEVER;
  });
}

/** Options for a rule over several `fields`, checked once each of them is valid. The message is shown at `at`. */
export function across(fields: readonly string[], at: string, message: string) {
  return {
    path: [at],
    message,
    when: ({ issues }: z.core.ParsePayload) => !issues.some((issue) => fields.includes(String(issue.path?.[0]))),
  };
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text);
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^-?\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function orUndefined(text: string): string | undefined {
  return text === "" ? undefined : text;
}
