import { readMultipart } from "../../../web/multipart.ts";

export type FormPart = { name: string; content: Uint8Array; type?: string | undefined };

export type FormExtent = { isComplete: boolean };
export const COMPLETE_FORM: FormExtent = { isComplete: true };

const MAX_PARTS = 20;

/** Reads a multipart form. Returns undefined if it is invalid. If only the start was read, the last part may be truncated. */
export function readMultipartForm(body: Uint8Array, contentType: string, { isComplete } = COMPLETE_FORM): readonly FormPart[] | undefined {
  return readMultipart(body, contentType, { maxParts: MAX_PARTS, isComplete });
}

/** Reads the first fields of a URL-encoded form. Returns bytes, because the fields may not be valid UTF-8. */
export function readUrlEncoded(body: Uint8Array): readonly FormPart[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const fields: FormPart[] = [];
  for (let from = 0; from < bytes.length && fields.length < MAX_PARTS;) {
    const end = findEnd(bytes, "&", from);
    const field = bytes.subarray(from, end);
    const nameEnd = findEnd(field, "=", 0);
    fields.push({ name: unescapeBytes(field.subarray(0, nameEnd)).toString("utf8"), content: unescapeBytes(field.subarray(nameEnd + 1)) });
    from = end + 1;
  }
  return fields;
}

function findEnd(bytes: Buffer, mark: string, from: number): number {
  const index = bytes.indexOf(mark, from, "latin1");
  return index < 0 ? bytes.length : index;
}

const PLUS_CODE = 0x2b;
const SPACE_CODE = 0x20;
const PERCENT_CODE = 0x25;

function unescapeBytes(bytes: Buffer): Buffer {
  const unescapedBytes = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] === PLUS_CODE ? SPACE_CODE : bytes[at]!;
    const code = byte === PERCENT_CODE ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : Number.NaN;
    const isEscape = code >= 0;
    unescapedBytes[length++] = isEscape ? code : byte;
    if (isEscape) at += 2;
  }
  return unescapedBytes.subarray(0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | SPACE_CODE;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
