import type { Range } from "./values.ts";

/** How secrets are found in a text, one way after the other, and what is shown in place of each. */
export type Masking = { find: readonly ((text: string) => readonly Range[])[]; replace(secret: string): string };

/** The text with its secrets replaced, also those in percent-encoded parts. Returns the same string if there are none. */
export function maskSecrets(text: string, { find, replace }: Masking): string {
  let masked = text;
  for (const each of find) masked = maskPlain(masked, each(masked), replace);
  if (!masked.includes("%") || !ESCAPE.test(masked)) return masked;
  for (const each of find) masked = maskEncoded(masked, each, replace);
  return masked;
}

const ESCAPE = /%[\da-f]{2}/i;

function maskPlain(text: string, found: readonly Range[], replace: Masking["replace"]): string {
  let masked = "";
  let at = 0;
  for (const { from, to } of found) {
    masked += text.slice(at, from) + replace(text.slice(from, to));
    at = to;
  }
  return at === 0 ? text : masked + text.slice(at);
}

/** Looks for secrets in the decoded text and replaces them where they stand in the encoded one. */
function maskEncoded(text: string, find: Masking["find"][number], replace: Masking["replace"]): string {
  const plain = decode(text);
  let masked = "";
  let at = 0;
  let decoded = 0;
  let encoded = 0;
  const encodedFrom = (offset: number) => {
    for (; decoded < offset; decoded++) encoded += escapedByte(text, encoded) === undefined ? 1 : 3;
    return encoded;
  };
  for (const { from, to } of find(plain)) {
    masked += text.slice(at, encodedFrom(from)) + replace(plain.slice(from, to));
    at = encodedFrom(to);
  }
  return at === 0 ? text : masked + text.slice(at);
}

/** The text with each escape as one character; what is no Latin letter becomes some other letter. */
function decode(text: string): string {
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = escapedByte(text, at);
    bytes[length++] = byte ?? Math.min(text.charCodeAt(at), 0xff);
    if (byte !== undefined) at += 2;
  }
  return bytes.toString("latin1", 0, length);
}

const PERCENT = 0x25;

function escapedByte(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  const byte = digit(text.charCodeAt(at + 1)) * 16 + digit(text.charCodeAt(at + 2));
  return Number.isNaN(byte) ? undefined : byte;
}

/** The value of a hexadecimal digit; NaN for any other character. */
function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
