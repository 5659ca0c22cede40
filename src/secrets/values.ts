/** A range of text. `to` is exclusive. */
export type TextRange = { from: number; to: number };

export function findAssignedValue(text: string, nameEnd: number): TextRange | undefined {
  const equalsAt = skipBlanks(text, nameEnd);
  if (text[equalsAt] !== "=") return undefined;
  const from = skipBlanks(text, equalsAt + 1);
  const first = text[from] ?? "";
  if (isQuote(first)) return toRange(from + 1, findStringEnd(text, from + 1, { quote: first, depth: 0 }));
  // Any other character shows that UTF-16 was read in the wrong byte order.
  return first > " " && first <= "~" ? toRange(from, searchFrom(WORD_END_PATTERN, text, from)) : undefined;
}

/** Matches the end of a word. Quotes inside a word belong to it, as do semicolons that don't end a cookie. */
const WORD_END_PATTERN = /[\s&<>]|["'](?!\w)|;(?=\s|$)/g;

/** Finds the value of `"name": value` in JSON, including JSON nested in a JSON string. */
export function findJsonValue(text: string, nameEnd: number): TextRange | undefined {
  const close = skipBackslashes(text, nameEnd);
  const quote = text[close] ?? "";
  const colonIndex = skipBlanks(text, close + 1);
  if (!isQuote(quote) || text[colonIndex] !== ":") return undefined;
  const from = skipBlanks(text, colonIndex + 1);
  const first = skipBackslashes(text, from);
  const style = { quote, depth: close - nameEnd };
  if (text[first] === quote) return toRange(first + 1, findStringEnd(text, first + 1, style));
  if (text[from] === "{" || text[from] === "[") return toRange(from, findStructureEnd(text, from, style));
  const to = searchFrom(LITERAL_END_PATTERN, text, from);
  return LITERALS.has(text.slice(from, Math.min(to, from + 6))) ? undefined : toRange(from, to);
}

const LITERAL_END_PATTERN = /[\s,}\]"'&<>]/g;
const LITERALS: ReadonlySet<string> = new Set(["null", "true", "false"]);

/** `depth` is the number of backslashes before a delimiting quote. */
type StringStyle = { quote: string; depth: number };

/** Returns the offset at which the string's content ends. If the string is truncated, this is the end of the text. */
function findStringEnd(text: string, from: number, { quote, depth }: StringStyle): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (at - escapes > from && text[at - escapes - 1] === "\\") escapes++;
    if (depth === 0 ? escapes % 2 === 0 : escapes <= depth) return depth === 0 ? at : at - escapes;
  }
  return text.length;
}

function findStructureEnd(text: string, from: number, style: StringStyle): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === style.quote) at = skipBackslashes(text, findStringEnd(text, at + 1, style));
    else if (character === "{" || character === "[") open++;
    else if ((character === "}" || character === "]") && --open === 0) return at + 1;
  }
  return text.length;
}

/** Returns the position of the end tag, ignoring CDATA sections and comments. */
export function findElementEnd(text: string, from: number, name: string): number {
  let end = findEndTag(text, from, name);
  for (let at = searchFrom(SECTION_PATTERN, text, from); at < end; at = searchFrom(SECTION_PATTERN, text, at)) {
    const close = text.startsWith(COMMENT_START, at) ? "-->" : "]]>";
    at = text.indexOf(close, at + COMMENT_START.length);
    if (at === -1) return text.length;
    if (at > end) end = findEndTag(text, at, name);
  }
  return end;
}

const SECTION_PATTERN = /<!(?:--|\[CDATA\[)/g;
const COMMENT_START = "<!--";

function findEndTag(text: string, from: number, name: string): number {
  const start = `</${name}`;
  let at = text.indexOf(start, from);
  while (at !== -1 && isNamePart(text.charCodeAt(at + start.length))) at = text.indexOf(start, at + start.length);
  return at === -1 ? text.length : at;
}

/** Whether a character can be part of a name. Includes brackets, because of names such as `user[password]`. */
export function isNamePart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x3a) ||
    (code >= 0x41 && code <= 0x5d && code !== BACKSLASH_CODE) ||
    OTHER_NAME_CODES.has(code) ||
    code >= 0x80
  );
}

const BACKSLASH_CODE = 0x5c;
const OTHER_NAME_CODES: ReadonlySet<number> = new Set([0x2d, 0x2e, 0x5f]);

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (BLANK_CODES.has(text.charCodeAt(at))) at++;
  return at;
}

const BLANK_CODES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0x2b]);

function skipBackslashes(text: string, from: number): number {
  let at = from;
  while (text[at] === "\\") at++;
  return at;
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

function searchFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

export function toRange(from: number, to: number): TextRange | undefined {
  return from < to ? { from, to } : undefined;
}

const AUTHORIZATION_PATTERN = /\b((?:basic|bearer)[\s+]+)[A-Za-z0-9._~+/=-]{6,}/gi;
const JSON_WEB_TOKEN_PATTERN = /(?<![\w-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g;

export function findCredentials(text: string): TextRange[] {
  return findShape(text, AUTHORIZATION_PATTERN);
}

export function findWebTokens(text: string): TextRange[] {
  return findShape(text, JSON_WEB_TOKEN_PATTERN);
}

/** Returns the ranges of all matches. If the pattern has a group, it precedes the secret and is not part of the range. */
export function findShape(text: string, pattern: RegExp): TextRange[] {
  const ranges: TextRange[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    ranges.push({ from: match.index + (match[1]?.length ?? 0), to: match.index + match[0].length });
  }
  return ranges;
}
