import { locateOffset, type TextPosition, XmlSource } from "./source.ts";

export type DecodeResult = { source: XmlSource } | { fault: string; at: TextPosition };

/**
 * Decodes a document. The encoding comes from the byte order mark, the XML declaration or the content type; the default is UTF-8. Invalid
 * bytes are a fault (XML 1.0, 4.3.3). If `isComplete` is false, the document may end in the middle of a character.
 */
export function decodeXml(bytes: Uint8Array, contentType?: string, { isComplete } = { isComplete: true }): DecodeResult {
  const name = detectEncoding(bytes, contentType);
  const decoder = findDecoder(name);
  if (!decoder) return { fault: `encoding ${name} is not supported`, at: { line: 1, column: 1 } };
  // In other encodings, bytes below 128 may represent non-ASCII characters.
  const asciiSource = decoder.encoding === "utf-8" ? XmlSource.ofAscii(bytes) : undefined;
  try {
    return { source: asciiSource ?? XmlSource.ofText(isComplete ? decoder.decode(bytes) : decodeBeginning(bytes, decoder)) };
  } catch {
    const text = new TextDecoder(decoder.encoding).decode(bytes);
    return { fault: `the bytes are not ${name}`, at: locateOffset(XmlSource.ofText(text), text.indexOf("\ufffd")) };
  }
}

/** Uses a new decoder, because a decoder keeps the bytes of an incomplete last character. */
function decodeBeginning(bytes: Uint8Array, { encoding, fatal }: TextDecoder): string {
  return new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
}

/** Shared decoder, because creating one takes longer than decoding a short document. */
const UTF8_DECODER = new TextDecoder("utf-8", { fatal: true });

/** Supports the same encodings as browsers (https://encoding.spec.whatwg.org/#names-and-labels). Decodes ASCII as UTF-8, its superset. */
function findDecoder(encoding: string): TextDecoder | undefined {
  if (/^(?:utf-?8|(?:us-)?ascii)$/i.test(encoding)) return UTF8_DECODER;
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    return undefined;
  }
}

function detectEncoding(bytes: Uint8Array, contentType: string | undefined): string {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return "utf-16le";
  if (a === 0 && b === 0x3c && c === 0 && d !== 0) return "utf-16be";
  return declaredEncoding(bytes) ?? usableCharset(contentType) ?? "utf-8";
}

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200)).toString("latin1");
  const declaredName = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/.exec(start)?.[1];
  return declaredName && WIDE_ENCODING_PATTERN.test(declaredName) ? "utf-8" : declaredName;
}

function usableCharset(contentType = ""): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  return charset && findDecoder(charset) && !WIDE_ENCODING_PATTERN.test(charset) ? charset : undefined;
}

const WIDE_ENCODING_PATTERN = /^(?:utf-?16|ucs-2|(?:cs)?unicode|iso-10646-ucs-2)/i;
