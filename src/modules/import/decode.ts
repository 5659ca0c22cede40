import { isUtf8 } from "node:buffer";

export const ENCODINGS = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16 (big-endian)",
  "windows-1252": "Windows-1252",
} as const;
export type Encoding = keyof typeof ENCODINGS;

const SAMPLE_BYTES = 4_096;

/** Detects the encoding from the byte order mark or the content. Text that is not valid UTF-8 is read as Windows-1252, which Excel uses. */
export function detectEncoding(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const countZeros = (parity: number) => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  if (countZeros(1) > sample.length / 4) return "utf-16le";
  if (countZeros(0) > sample.length / 4) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

/** Returns why the file can't be read as text, or undefined. */
export function binaryFault(bytes: Uint8Array, encoding: Encoding): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  if (head === "PK\u0003\u0004")
    return "This is an Excel workbook or ZIP file. In Excel, choose “Save as” and the type “CSV UTF-8”, then upload that file";
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0"))
    return "This is an old Excel workbook. In Excel, choose “Save as” and the type “CSV UTF-8”, then upload that file";
  if (head.startsWith("%PDF")) return "This is a PDF file. Upload a CSV file or a JSON export";
  if (!encoding.startsWith("utf-16") && bytes.subarray(0, SAMPLE_BYTES).includes(0))
    return "This is not a text file. Upload a CSV file or a JSON export";
  return undefined;
}

const CHUNK_BYTES = 1_048_576;

/** Yields the text in chunks, without a byte order mark. */
export function* decodeText(bytes: Uint8Array, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const end = start + CHUNK_BYTES;
    yield decoder.decode(bytes.subarray(start, end), { stream: end < bytes.length });
  }
}
