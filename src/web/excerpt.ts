/** The first `max` characters. Counts surrogate pairs as one, as forms do. */
export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join("");
}

/** Up to `max` UTF-16 units of a text, from `from` on, with `…` for omitted parts. Never splits a surrogate pair. */
export function excerpt(text: string, from: number, max: number): string {
  const start = characterStart(text, from);
  const end = characterStart(text, start + max);
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

function characterStart(text: string, at: number): number {
  return at > 0 && at < text.length && /[\uDC00-\uDFFF]/.test(text[at]!) ? at - 1 : Math.min(at, text.length);
}
