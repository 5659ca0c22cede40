/** One part of a form; `type` is its own content type. */
export type FormPart = { name: string; content: Uint8Array; type?: string };

/** Reads a multipart form (RFC 7578), its parts as bytes; `undefined` when it is none. */
export function readMultipart(body: Uint8Array, contentType: string): readonly FormPart[] | undefined {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  if (!boundary) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`, "latin1");
  const lineEnd = lineEndOf(bytes, delimiter);
  const next = Buffer.concat([lineEnd, delimiter]);
  const parts: FormPart[] = [];
  let from = bytes.subarray(0, delimiter.length).equals(delimiter) ? 0 : behind(bytes.indexOf(next), lineEnd);
  for (let read = 0; from >= 0 && read <= MAX_PARTS; read++) {
    const start = from + delimiter.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    const end = bytes.indexOf(next, start);
    const part = end < 0 ? undefined : readPart(bytes.subarray(start, end), lineEnd);
    if (part) parts.push(part);
    from = behind(end, lineEnd);
  }
  return undefined;
}

const CRLF = Buffer.from("\r\n");
const LF = Buffer.from("\n");
const MAX_PARTS = 20;

/** Some senders end lines with LF alone; the first line shows it. */
function lineEndOf(bytes: Buffer, delimiter: Buffer): Buffer {
  const end = bytes.indexOf(LF, bytes.indexOf(delimiter));
  return end > 0 && bytes[end - 1] !== CRLF[0] ? LF : CRLF;
}

function behind(found: number, { length }: Buffer): number {
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

/** Reads a URL-encoded form; only its first fields, however many follow. */
export function readUrlEncoded(body: Uint8Array): readonly FormPart[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const fields = new URLSearchParams(text.split("&", MAX_PARTS).join("&"));
  return [...fields].map(([name, value]) => ({ name, content: Buffer.from(value, "utf8") }));
}
