const MASKED = "[masked]";

/** Takes secrets out of a body before it is kept: `MessagePassword` and the password of a WSSE token. */
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
  return text
    .replaceAll(
      /(MessagePassword\s*(?:=|%3D)\s*)("[^"]*"|'[^']*'|%22.*?%22|%27.*?%27)/gi,
      (_all, name: string, value: string) => `${name}${maskValue(value)}`,
    )
    .replaceAll(/(<(?:[\w.-]+:)?Password\b[^>]*>)[^<]*/gi, `$1${MASKED}`)
    .replaceAll(/(%3C(?:[\w.-]+%3A)?Password\b.*?%3E).*?(?=%3C)/gi, `$1${MASKED}`);
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
