const MASKED = "[masked]";

/** Takes secrets out of a body before it is kept: `MessagePassword` or `Password` as attributes, and the password of a WSSE token. */
export function maskBody(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.includes("assword")) return Buffer.from(maskText(bytes.toString("latin1")), "latin1");
  if (!isWide(bytes)) return body;
  if (bytes.includes("assword", 0, "utf16le")) return Buffer.from(maskText(bytes.toString("utf16le")), "utf16le");
  if (!bytes.includes(Buffer.from("assword", "utf16le").swap16())) return body;
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return Buffer.from(maskText(Buffer.from(even).swap16().toString("utf16le")), "utf16le").swap16();
}

/** UTF-16 begins with its mark or with a character whose other byte is 0. */
function isWide([a, b]: Buffer): boolean {
  return a === 0 || b === 0 || (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
}

function maskText(text: string): string {
  const attributes = text.replaceAll(
    /((?:Message)?Password[\s+]*(?:=|%3D)[\s+]*)("[^"]*"?|'[^']*'?|%22.*?(?:%22|$)|%27.*?(?:%27|$))/gi,
    (_all, name: string, value: string) => `${name}${maskValue(value)}`,
  );
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

function maskValue(quoted: string): string {
  const quote = quoted.startsWith("%") ? quoted.slice(0, 3) : quoted[0]!;
  return `${quote}${MASKED}${quote}`;
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
