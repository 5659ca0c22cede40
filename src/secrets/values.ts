/** Part of a text, from `from` up to but not including `to`. */
export type Range = { from: number; to: number };

/** Finds the value of `name=value`, `name="value"` or `name='value'`; undefined if there is none. */
export function assignedValue(text: string, nameEnd: number): Range | undefined {
  const equals = skipBlanks(text, nameEnd);
  if (text[equals] !== "=") return undefined;
  const from = skipBlanks(text, equals + 1);
  const first = text[from] ?? "";
  if (isQuote(first)) return rangeOf(from + 1, endOfString(text, from + 1, { quote: first, depth: 0 }));
  // In UTF-16 of the other byte order a value begins with what looks like a foreign letter.
  return first > " " && first <= "~" ? rangeOf(from, search(END_OF_WORD, text, from)) : undefined;
}

/** Quotes within a word belong to it, and so do semicolons unless they end a cookie. */
const END_OF_WORD = /[\s&<>]|["'](?!\w)|;(?=\s|$)/g;

/** Finds the value of `"name": value` in JSON, also in JSON that is a string of other JSON; undefined if there is none. */
export function jsonValue(text: string, nameEnd: number): Range | undefined {
  const close = skipBackslashes(text, nameEnd);
  const quote = text[close] ?? "";
  const colon = skipBlanks(text, close + 1);
  if (!isQuote(quote) || text[colon] !== ":") return undefined;
  const from = skipBlanks(text, colon + 1);
  const first = skipBackslashes(text, from);
  const style = { quote, depth: close - nameEnd };
  if (text[first] === quote) return rangeOf(first + 1, endOfString(text, first + 1, style));
  if (text[from] === "{" || text[from] === "[") return rangeOf(from, endOfStructure(text, from, style));
  const to = search(END_OF_LITERAL, text, from);
  return LITERALS.has(text.slice(from, Math.min(to, from + 6))) ? undefined : rangeOf(from, to);
}

const END_OF_LITERAL = /[\s,}\]"'&<>]/g;
const LITERALS: ReadonlySet<string> = new Set(["null", "true", "false"]);

/** How strings are written; `depth` backslashes stand before a quote that isn't part of a string. */
type StringStyle = { quote: string; depth: number };

/** Where the string ends that starts at `from`; the end of the text if it breaks off. */
function endOfString(text: string, from: number, { quote, depth }: StringStyle): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (at - escapes > from && text[at - escapes - 1] === "\\") escapes++;
    if (depth === 0 ? escapes % 2 === 0 : escapes <= depth) return depth === 0 ? at : at - escapes;
  }
  return text.length;
}

/** Where the object or list ends that starts at `from`. */
function endOfStructure(text: string, from: number, style: StringStyle): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === style.quote) at = skipBackslashes(text, endOfString(text, at + 1, style));
    else if (character === "{" || character === "[") open++;
    else if ((character === "}" || character === "]") && --open === 0) return at + 1;
  }
  return text.length;
}

/** Where the content ends that starts at `from`: at the end tag, but not at one within a CDATA section or a comment. */
export function endOfElement(text: string, from: number, name: string): number {
  let end = endTag(text, from, name);
  for (let at = search(SECTION, text, from); at < end; at = search(SECTION, text, at)) {
    const close = text.startsWith(COMMENT, at) ? "-->" : "]]>";
    at = text.indexOf(close, at + COMMENT.length);
    if (at === -1) return text.length;
    if (at > end) end = endTag(text, at, name);
  }
  return end;
}

const SECTION = /<!(?:--|\[CDATA\[)/g;
const COMMENT = "<!--";

function endTag(text: string, from: number, name: string): number {
  const start = `</${name}`;
  let at = text.indexOf(start, from);
  while (at !== -1 && isNamePart(text.charCodeAt(at + start.length))) at = text.indexOf(start, at + start.length);
  return at === -1 ? text.length : at;
}

/** Whether a character can be part of a name, also of one such as `user[password]`. */
export function isNamePart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x3a) ||
    (code >= 0x41 && code <= 0x5d && code !== BACKSLASH) ||
    OTHERS.has(code) ||
    code >= 0x80
  );
}

const BACKSLASH = 0x5c;
const OTHERS: ReadonlySet<number> = new Set([0x2d, 0x2e, 0x5f]);

/** A form writes a space as `+`. */
function skipBlanks(text: string, from: number): number {
  let at = from;
  while (BLANKS.has(text.charCodeAt(at))) at++;
  return at;
}

const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0x2b]);

function skipBackslashes(text: string, from: number): number {
  let at = from;
  while (text[at] === "\\") at++;
  return at;
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

/** Where a pattern next matches; the end of the text if it doesn't. */
function search(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Undefined if nothing is left in it. */
export function rangeOf(from: number, to: number): Range | undefined {
  return from < to ? { from, to } : undefined;
}
