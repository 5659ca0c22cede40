const MASKED = "[masked]";

/**
 * The bytes of the word that both byte orders of UTF-16 share. They are searched as bytes: Node hangs when it
 * searches for UTF-16 text in bytes that begin at an odd address.
 */
const WIDE = Buffer.from("assword", "utf16le").subarray(0, -1);

/**
 * Takes secrets out of a body before it is kept: `MessagePassword` or `Password` as attributes, and the password of a WSSE token; where
 * others put theirs, too, as elements, or as fields of a form or of JSON.
 */
export function maskBody(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const masked = hasPassword(bytes) ? Buffer.from(maskText(bytes.toString("latin1")), "latin1") : bytes;
  const wide = masked.includes(0) ? masked.indexOf(WIDE) : -1;
  return wide === -1 ? masked : maskWide(masked, wide);
}

/**
 * Hardly any letter of a message is a `w`, so that is searched for first: a tenth of the time that all those `a` take.
 * XML has no names in capitals, forms may.
 */
function hasPassword(bytes: Buffer): boolean {
  return (bytes.includes("word") && bytes.includes("assword")) || (bytes[0] !== LESS_THAN && bytes.includes("PASSWORD"));
}

const LESS_THAN = 0x3c;

/** The same of a body that nothing could read. What is compressed hides its secrets from us, not from who unpacks it. */
export function maskUnread(body: Uint8Array): Uint8Array {
  const beginning = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, LOOKED_AT));
  return CONTROLS.test(beginning.toString("latin1")) ? Buffer.from(`[masked: ${body.byteLength} bytes that are no text]`) : maskBody(body);
}

const LOOKED_AT = 4_096;
/** No text has them, but for those of escapes. */
const CONTROLS = /[\u0001-\u0008\u000e-\u001a]/;

/** UTF-16 may begin at any byte, as part of a form; both byte orders are tried. */
function maskWide(bytes: Buffer, at: number): Buffer {
  const mask = (pairs: Buffer) => Buffer.from(maskText(pairs.toString("utf16le")), "utf16le");
  const littleEndian = maskPairs(bytes, at % 2, mask);
  return maskPairs(littleEndian, 1 - (at % 2), (pairs) => mask(Buffer.from(pairs).swap16()).swap16());
}

/** Leaves the bytes before the first pair, and half a pair at the end, as they are. */
function maskPairs(bytes: Buffer, first: number, mask: (pairs: Buffer) => Buffer): Buffer {
  const end = bytes.length - ((bytes.length - first) % 2);
  return Buffer.concat([bytes.subarray(0, first), mask(bytes.subarray(first, end)), bytes.subarray(end)]);
}

/** A group that is met any number of times would fill the stack. */
const BLANK = String.raw`[\s+]*(?:%(?:20|0[9AD])[\s+]*){0,50}`;
/** Its quote in one of four spellings, or none: then it begins with ASCII, or UTF-16 in the other byte order would be taken for it. */
const VALUE = String.raw`(")[^"]*(?:(?<=\\)"[^"]*){0,50}"?|(')[^']*'?|(%22).*?(?:%22|$)|(%27).*?(?:%27|$)|(?=[!-~])[^\s&"'<>]+`;
/** The name before the value, of an attribute, or of a field of a form or of JSON. */
const ATTRIBUTE = new RegExp(String.raw`(Password(?:${BLANK}(?:=|%3D)|"\s*:)${BLANK})(?:${VALUE})`, "gi");
/** The head of a part of a multipart form, and its content as far as the next boundary. */
const PART =
  /(Content-Disposition:[^\r\n]{0,200}name="?[^"\r\n]{0,50}Password"?[^\r\n]{0,200}(\r?\n)(?:[^\r\n]{1,200}\2){0,5}\2)[^]*?(?=\2--|$)/gi;

function maskText(text: string): string {
  const attributes = text.replaceAll(PART, `$1${MASKED}`).replaceAll(ATTRIBUTE, `$1$2$3$4$5${MASKED}$2$3$4$5`);
  return maskElements(maskElements(attributes, PLAIN), ENCODED);
}

/** The markup around a password, in XML or in a URL-encoded form. */
type Markup = { tag: RegExp; tagEnd: RegExp; contentEnd: RegExp; sectionEnd: RegExp };

const PLAIN: Markup = {
  tag: /<[^\s<>/]{0,100}Password\b/gi,
  tagEnd: /\/?>/g,
  contentEnd: /<!\[CDATA\[|<\/[^\s<>/]{0,100}Password\b/gi,
  sectionEnd: /\]\]>/g,
};
const ENCODED: Markup = {
  tag: /%3C(?:[\w.:-]|%3A){0,100}Password\b/gi,
  tagEnd: /(?:\/|%2F)?%3E/gi,
  contentEnd: /%3C(?:!|%21)(?:\[|%5B)CDATA(?:\[|%5B)|%3C(?:\/|%2F)(?:[\w.:-]|%3A){0,100}Password\b/gi,
  sectionEnd: /(?:\]|%5D){2}%3E/gi,
};

/** Searches forward only: a million tags that never end must not take a minute. */
function maskElements(text: string, markup: Markup): string {
  let masked = "";
  let from = 0;
  for (;;) {
    const tag = find(markup.tag, text, from);
    const tagEnd = tag && find(markup.tagEnd, text, tag.end);
    if (!tagEnd) return masked + text.slice(from);
    const isEmpty = /^(?:\/|%2F)/i.test(tagEnd.found);
    masked += text.slice(from, tagEnd.end) + (isEmpty ? "" : MASKED);
    from = isEmpty ? tagEnd.end : endOfContent(text, tagEnd.end, markup);
  }
}

/** Where the end tag begins; one inside a CDATA section does not count. */
function endOfContent(text: string, from: number, { contentEnd, sectionEnd }: Markup): number {
  for (let at = from; ;) {
    const end = find(contentEnd, text, at);
    if (!end) return text.length;
    if (!/CDATA/i.test(end.found)) return end.start;
    at = find(sectionEnd, text, end.end)?.end ?? text.length;
  }
}

function find(pattern: RegExp, text: string, from: number): { found: string; start: number; end: number } | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? { found: match[0], start: match.index, end: pattern.lastIndex } : undefined;
}

const KEPT_HEADERS = [
  "content-type",
  "content-encoding",
  "user-agent",
  "soapaction",
  "x-alpinebits-clientprotocolversion",
  "x-alpinebits-clientid",
  "authorization",
] as const;

/** The headers that help to read a message later; credentials only as their scheme. */
export function keptHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = name === "authorization" ? maskAuthorization(value) : value.slice(0, 500);
  }
  return kept;
}

/** Some send their secret without a scheme. */
function maskAuthorization(value: string): string {
  const scheme = /^(?:basic|bearer|digest|negotiate|ntlm|token|wsse)(?=\s|$)/i.exec(value);
  return scheme ? `${scheme[0]} ${MASKED}` : MASKED;
}
