import { z } from "zod";
import { BLANK, INVISIBLE, INVISIBLE_IN_TEXT, isVisible, lengthOf, quoted } from "../text.ts";

/** Rules for one typed field each; a field that was not sent counts as empty. Every message says what is allowed. */

/** Bytes that are not UTF-8 were read as U+FFFD. */
const typed = z
  .string()
  .default("")
  .refine((text) => !text.includes("\ufffd"), "Enter the text anew: � stands for what was not sent as UTF-8");

/** One line of 1 to `max` characters, of which one is to be seen. */
export function requiredLine(max: number, message: string) {
  return seenLine.refine((text) => !BLANK.test(text) && lengthOf(text) <= max, message);
}

/** One line of at most `max` characters, or nothing. `test` checks only a line that is there. */
export function optionalLine(max: number, message: string, test: (text: string) => boolean = () => true) {
  return seenLine.refine((text) => text === "" || (lengthOf(text) <= max && test(text)), message).transform(orUndefined);
}

/** Several lines of at most `max` characters together, or nothing. */
export function optionalText(max: number, message: string) {
  return typed
    .refine((text) => !INVISIBLE_IN_TEXT.test(text), "Take out control characters; line breaks and tabs may stay")
    .refine((text) => lengthOf(text) <= max, message)
    .transform(orUndefined);
}

const seenLine = typed.refine((text) => !INVISIBLE.test(text), "Take out line breaks, tabs and other characters that cannot be seen");

/** A word that `test` lets through; nothing is `fallback`. */
export function choice(test: (text: string) => boolean, fallback: string, message: string) {
  return typed.transform((text) => (text === "" ? fallback : text)).refine(test, message);
}

/** A word that `test` lets through, or nothing. */
export function optionalChoice(test: (text: string) => boolean, message: string) {
  return typed.refine((text) => text === "" || test(text), message).transform(orUndefined);
}

const TICKED = ["on", "1", "true"];
const NOT_TICKED = ["", "off", "0", "false"];

/** A box; `fallback` when it was not sent at all. */
export function tick(fallback: boolean) {
  return z
    .string()
    .default(fallback ? "on" : "")
    .refine((text) => TICKED.includes(text) || NOT_TICKED.includes(text), "Tick the box or leave it: on or off, 1 or 0, true or false")
    .transform((text) => TICKED.includes(text));
}

type Limits = { min: number; max: number; message: string };

/** A whole number in digits, at most nine of them; nothing is `fallback`. */
export function wholeNumber(fallback: number, { min, max, message }: Limits) {
  return typed
    .refine((text) => text === "" || isWhole(text, min, max), message)
    .transform((text) => (text === "" ? fallback : Number(text)));
}

/** A number that `test` lets through, or nothing. A comma, all that the keys for numbers of many phones have, becomes the point. */
export function optionalDecimal(message: string, test: (text: string) => boolean) {
  return seenLine
    .transform((text) => text.replace(",", "."))
    .refine((text) => text === "" || test(text), message)
    .transform(orUndefined);
}

/** The number that a text was found to be. */
export function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** A whole number in digits, or nothing. */
export function optionalWhole({ min, max, message }: Limits) {
  return typed
    .refine((text) => text === "" || isWhole(text, min, max), message)
    .transform((text) => (text === "" ? undefined : Number(text)));
}

/** Words between commas, each once and as `read` writes it; `read` answers undefined for a word that is not allowed. */
export function optionalList(max: number, message: string, read: (word: string) => string | undefined) {
  return typed.transform((text, context) => {
    const words = text
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter(Boolean);
    const list = [...new Set(words.map(read))].join(", ");
    const wrong = words.find((word) => !isVisible(word) || read(word) === undefined);
    if (wrong === undefined && lengthOf(list) <= max) return orUndefined(list);
    const tooLong = `Enter at most ${max.toLocaleString("en")} characters in all`;
    context.addIssue({ code: "custom", message: wrong === undefined ? tooLong : `${message}; not “${quoted(wrong)}”` });
    return z.NEVER;
  });
}

/** Options for a rule over `fields`, shown at `at`, asked only when each of them is well on its own. */
export function across(fields: readonly string[], at: string, message: string) {
  return {
    path: [at],
    message,
    when: ({ issues }: z.core.ParsePayload) => !issues.some((issue) => fields.includes(String(issue.path?.[0]))),
  };
}

/** Whether the text is an absolute address with http or https. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text);
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^-?\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function orUndefined(text: string): string | undefined {
  return text === "" ? undefined : text;
}
