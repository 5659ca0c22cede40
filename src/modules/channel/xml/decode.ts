/** The text of a document, or why its bytes are none. */
export type Decoded = { text: string } | { fault: string };

/**
 * Decodes a document by its byte order mark, else its XML declaration, else the `charset` of the content type, else as UTF-8.
 * Bytes that the encoding does not have are a fault (XML 1.0, 4.3.3).
 */
export function decodeXml(bytes: Uint8Array, charset?: string): Decoded {
  const encoding = encodingOf(bytes, charset);
  const decoder = DECODERS.get(encoding.toLowerCase());
  if (!decoder) return { fault: `encoding ${encoding} is not supported` };
  try {
    return { text: decoder().decode(bytes) };
  } catch {
    return { fault: `the bytes are not ${encoding}` };
  }
}

const DECODERS: ReadonlyMap<string, () => TextDecoder> = new Map([
  ["utf-8", decoderFor("utf-8")],
  ["utf8", decoderFor("utf-8")],
  ["us-ascii", decoderFor("utf-8")],
  ["ascii", decoderFor("utf-8")],
  ["utf-16", decoderFor("utf-16le")],
  ["utf-16le", decoderFor("utf-16le")],
  ["utf-16be", decoderFor("utf-16be")],
  ["iso-8859-1", decoderFor("windows-1252")],
  ["iso_8859-1", decoderFor("windows-1252")],
  ["iso8859-1", decoderFor("windows-1252")],
  ["latin1", decoderFor("windows-1252")],
  ["iso-8859-15", decoderFor("iso-8859-15")],
  ["windows-1252", decoderFor("windows-1252")],
  ["cp1252", decoderFor("windows-1252")],
]);

/** A new decoder each time: one that has failed keeps what it had read. */
function decoderFor(label: string): () => TextDecoder {
  return () => new TextDecoder(label, { fatal: true });
}

function encodingOf(bytes: Uint8Array, charset: string | undefined): string {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return "utf-16le";
  if (a === 0 && b === 0x3c && c === 0 && d !== 0) return "utf-16be";
  return declaredEncoding(bytes) ?? usableCharset(charset) ?? "utf-8";
}

/** A declaration of UTF-16 in a document of single bytes is wrong, whatever else it is. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 200)).toString("latin1");
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][\w.-]{0,40})["']/.exec(start)?.[1];
  return declared && /^utf-?16/i.test(declared) ? "utf-8" : declared;
}

function usableCharset(charset: string | undefined): string | undefined {
  return charset && DECODERS.has(charset.toLowerCase()) && !/^utf-?16/i.test(charset) ? charset : undefined;
}
