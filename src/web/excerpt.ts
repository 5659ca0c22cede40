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
