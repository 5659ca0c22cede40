/** Returns the first `max` characters (code points). */
export function firstCharacters(text: string, max: number): string {
  return text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join("");
}

/** Returns about `length` UTF-16 code units from `from`, with `…` for omitted parts. Never splits a surrogate pair. */
export function textExcerpt(text: string, from: number, length: number): string {
  const start = characterStart(text, from);
  const end = characterStart(text, start + length);
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

function characterStart(text: string, at: number): number {
  return at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text[at]!) ? at - 1 : Math.min(at, text.length);
}

export const INVISIBLE_PATTERN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
export const INVISIBLE_IN_TEXT_PATTERN = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
export const BLANK_PATTERN = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Returns whether the text is a single line with at least one visible character. */
export function isVisible(text: string): boolean {
  return !INVISIBLE_PATTERN.test(text) && !BLANK_PATTERN.test(text);
}

/** Cleans text from a message: converts line ends to `\n`, removes invisible characters, and replaces U+FFFD with `?`. */
export function visibleText(text: string): string {
  const lines = text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replaceAll("\ufffd", "?");
  return lines.replaceAll(new RegExp(INVISIBLE_IN_TEXT_PATTERN, "gu"), "");
}

/** Trims a code and converts it to Unicode normalization form C, so that `Ü` is always a single character. */
export function normalCode(text: string): string {
  const code = text.trim();
  return ASCII_PATTERN.test(code) ? code : code.normalize("NFC");
}

const ASCII_PATTERN = /^[ -~]*$/;

/** Counts characters (code points), not UTF-16 code units. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}

export function quote(text: string): string {
  const beginning = firstCharacters(text, MAX_QUOTED_LENGTH);
  return text.length > beginning.length ? `${beginning}…` : text;
}

const MAX_QUOTED_LENGTH = 40;

export function fieldText(value: string | number | boolean | undefined): string {
  if (typeof value === "boolean") return value ? "on" : "";
  return String(value ?? "");
}

/** Formats a number without an exponent and with up to 7 decimals. */
export function plainNumber(value: number): string {
  const text = String(value);
  return text.includes("e-") ? value.toFixed(7) : text;
}

export type Choices = readonly (readonly [value: string, label: string])[];

/** A checkbox's values as sent by a form. */
export const yesNoChoices = (): Choices => [
  ["on", "Yes"],
  ["", "No"],
];

const TIME_UNITS = [
  [31_536_000, "y"],
  [2_592_000, "mo"],
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const;

/** Formats a time as `3 min ago`, `in 2 d` or `just now`. Both times are in milliseconds since 1970. */
export function relativeTimeText(now: number, at: number): string {
  const seconds = Math.floor(Math.abs(now - at) / 1_000);
  const [length, unit] = TIME_UNITS.find(([one]) => seconds >= one) ?? [];
  if (length === undefined) return "just now";
  const text = `${Math.floor(seconds / length)} ${unit}`;
  return at > now ? `in ${text}` : `${text} ago`;
}
