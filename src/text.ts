/** The first `most` characters as people and the forms count them; never cuts a surrogate pair in two. */
export function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join("");
}

/** So much of a text from a place on, both in UTF-16 units; `…` stands for what is left out. No character is cut in two. */
export function excerpt(text: string, from: number, most: number): string {
  const start = wholeAt(text, from);
  const end = wholeAt(text, start + most);
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** The place itself, or the one before where it lies within a character. */
function wholeAt(text: string, at: number): number {
  return at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text[at]!) ? at - 1 : Math.min(at, text.length);
}

/** Control characters, other ends of lines, and marks that turn the direction of what follows them on the page. */
export const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
export const INVISIBLE_IN_TEXT = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** Characters that leave no mark by themselves. */
export const BLANK = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether the text leaves a mark, all of it on one line. */
export function isVisible(text: string): boolean {
  return !INVISIBLE.test(text) && !BLANK.test(text);
}

/** A text of a machine as these rules have it: line ends as `\n`, nothing that cannot be seen, and `?` for what was lost on its way. */
export function visibleText(text: string): string {
  const lines = text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replaceAll("\ufffd", "?");
  return lines.replaceAll(new RegExp(INVISIBLE_IN_TEXT, "gu"), "");
}

/** In characters as people count them, not in units of UTF-16. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The beginning of the typed text, to name in a message. */
export function quoted(text: string): string {
  const beginning = firstCharacters(text, QUOTED);
  return text.length > beginning.length ? `${beginning}…` : text;
}

/** In characters as people count them. */
const QUOTED = 40;

/** A field as forms and the history show it. */
export function fieldText(value: string | number | boolean | undefined): string {
  if (typeof value === "boolean") return value ? "on" : "";
  return String(value ?? "");
}
