const MASKED = "[masked]";

/**
 * What UTF-16 has of the word, whichever byte of a character comes first. It is searched for as bytes: Node never comes back from
 * the search for a text in UTF-16 where the bytes begin at an odd address.
 */
const WIDE = Buffer.from("assword", "utf16le").subarray(0, -1);

/** Takes secrets out of a body before it is kept: `MessagePassword` or `Password` as attributes, and the password of a WSSE token. */
export function maskBody(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const masked = bytes.includes("assword") ? Buffer.from(maskText(bytes.toString("latin1")), "latin1") : bytes;
  const wide = masked.includes(0) ? masked.indexOf(WIDE) : -1;
  return wide === -1 ? masked : maskWide(masked, wide);
}

/** A document in UTF-16 may begin anywhere, as the part of a form; which byte comes first is tried both ways. */
function maskWide(bytes: Buffer, at: number): Buffer {
  const mask = (pairs: Buffer) => Buffer.from(maskText(pairs.toString("utf16le")), "utf16le");
  const littleEndian = maskPairs(bytes, at % 2, mask);
  return maskPairs(littleEndian, 1 - (at % 2), (pairs) => mask(Buffer.from(pairs).swap16()).swap16());
}

/** What stands before the first pair of bytes, and half a one at the end, stays. */
function maskPairs(bytes: Buffer, first: number, mask: (pairs: Buffer) => Buffer): Buffer {
  const end = bytes.length - ((bytes.length - first) % 2);
  return Buffer.concat([bytes.subarray(0, first), mask(bytes.subarray(first, end)), bytes.subarray(end)]);
}

/** The name in front of the value, then the quote around it in one of its four spellings. */
const ATTRIBUTE = /(Password[\s+]*(?:=|%3D)[\s+]*)(?:(")[^"]*"?|(')[^']*'?|(%22).*?(?:%22|$)|(%27).*?(?:%27|$))/gi;

function maskText(text: string): string {
  const attributes = text.replaceAll(ATTRIBUTE, `$1$2$3$4$5${MASKED}$2$3$4$5`);
  return maskElements(maskElements(attributes, PLAIN), ENCODED);
}

/** The markup around a password, as it stands in XML or in an URL-encoded form. */
type Markup = { tag: RegExp; tagEnd: RegExp; contentEnd: RegExp; sectionEnd: RegExp };

const PLAIN: Markup = {
  tag: /<(?:[\w.-]{1,50}:)?Password\b/gi,
  tagEnd: /\/?>/g,
  contentEnd: /<!\[CDATA\[|<\//g,
  sectionEnd: /\]\]>/g,
};
const ENCODED: Markup = {
  tag: /%3C(?:[\w.-]{1,50}%3A)?Password\b/gi,
  tagEnd: /(?:\/|%2F)?%3E/gi,
  contentEnd: /%3C(?:!|%21)(?:\[|%5B)CDATA(?:\[|%5B)|%3C(?:\/|%2F)/gi,
  sectionEnd: /(?:\]|%5D){2}%3E/gi,
};

/** Searches only ahead of what was found before: whoever sends a million tags without an end must not be worth a minute. */
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

/** Where the end tag begins; what looks like one in a CDATA section is none. */
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

/** The headers that help to read a message later; of credentials only the scheme. */
export function keptHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = name === "authorization" ? `${value.split(" ", 1)[0]} ${MASKED}` : value.slice(0, 500);
  }
  return kept;
}
