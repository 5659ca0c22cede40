export type FormPart = { name: string; content: Uint8Array; type?: string };

export type Extent = { isWhole: boolean };
export const WHOLE: Extent = { isWhole: true };

/** Reads a multipart form (RFC 7578); undefined if it is not valid. In a beginning, the last part may be cut off. */
export function readMultipart(body: Uint8Array, contentType: string, { isWhole } = WHOLE): readonly FormPart[] | undefined {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  if (!boundary) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`, "latin1");
  const lineEnd = lineEndOf(bytes, delimiter);
  const next = Buffer.concat([lineEnd, delimiter]);
  const parts: FormPart[] = [];
  let from = bytes.subarray(0, delimiter.length).equals(delimiter) ? 0 : skipLineEnd(bytes.indexOf(next), lineEnd);
  for (let read = 0; from >= 0 && read <= MAX_PARTS; read++) {
    const start = from + delimiter.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    const end = bytes.indexOf(next, start);
    const part = end < 0 && isWhole ? undefined : readPart(bytes.subarray(start, end < 0 ? undefined : end), lineEnd);
    if (part) parts.push(part);
    from = skipLineEnd(end, lineEnd);
  }
  return isWhole ? undefined : parts;
}

const CRLF = Buffer.from("\r\n");
const LF = Buffer.from("\n");
const MAX_PARTS = 20;

function lineEndOf(bytes: Buffer, delimiter: Buffer): Buffer {
  const end = bytes.indexOf(LF, bytes.indexOf(delimiter));
  return end > 0 && bytes[end - 1] !== CRLF[0] ? LF : CRLF;
}

function skipLineEnd(found: number, { length }: Buffer): number {
  return found < 0 ? -1 : found + length;
}

function readPart(part: Buffer, lineEnd: Buffer): FormPart | undefined {
  const headersEnd = Buffer.concat([lineEnd, lineEnd]);
  const end = part.indexOf(headersEnd);
  if (end < 0) return undefined;
  const headers = part.toString("latin1", 0, end);
  const name = /^content-disposition:[^\r\n]*[;\s]name=(?:"([^"\r\n]*)"|([^;\s]+))/im.exec(headers);
  const type = /^content-type:([^\r\n]*)/im.exec(headers)?.[1];
  return name ? { name: name[1] ?? name[2]!, content: part.subarray(end + headersEnd.length), type } : undefined;
}

/** Reads the first fields of a URL-encoded form, as bytes that need not be UTF-8. */
export function readUrlEncoded(body: Uint8Array): readonly FormPart[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const fields: FormPart[] = [];
  for (let from = 0; from < bytes.length && fields.length < MAX_PARTS;) {
    const end = endOf(bytes, "&", from);
    const field = bytes.subarray(from, end);
    const nameEnd = endOf(field, "=", 0);
    fields.push({ name: unescaped(field.subarray(0, nameEnd)).toString("utf8"), content: unescaped(field.subarray(nameEnd + 1)) });
    from = end + 1;
  }
  return fields;
}

function endOf(bytes: Buffer, mark: string, from: number): number {
  const found = bytes.indexOf(mark, from, "latin1");
  return found < 0 ? bytes.length : found;
}

const PLUS = 0x2b;
const SPACE = 0x20;
const PERCENT = 0x25;

function unescaped(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] === PLUS ? SPACE : bytes[at]!;
    const code = byte === PERCENT ? digit(bytes[at + 1]) * 16 + digit(bytes[at + 2]) : Number.NaN;
    const isEscape = code >= 0;
    plain[length++] = isEscape ? code : byte;
    if (isEscape) at += 2;
  }
  return plain.subarray(0, length);
}

function digit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | SPACE;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
