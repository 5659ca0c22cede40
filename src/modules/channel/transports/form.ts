/** One part of a form. */
export type FormPart = { name: string; content: Uint8Array };

/** Reads a multipart form (RFC 7578) with the bytes of its parts as they came; `undefined` when it is none. */
export function readMultipart(body: Uint8Array, contentType: string): readonly FormPart[] | undefined {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  if (!boundary) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`, "latin1");
  const parts: FormPart[] = [];
  let from = startOfParts(bytes, delimiter);
  if (from < 0) return undefined;
  while (from >= 0 && parts.length < MAX_PARTS) {
    const start = from + delimiter.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    const end = bytes.indexOf(Buffer.concat([CRLF, delimiter]), start);
    if (end < 0) return undefined;
    const part = readPart(bytes.subarray(start, end));
    if (part) parts.push(part);
    from = end + CRLF.length;
  }
  return undefined;
}

const CRLF = Buffer.from("\r\n");
const HEADERS_END = Buffer.from("\r\n\r\n");
const MAX_PARTS = 20;

function startOfParts(bytes: Buffer, delimiter: Buffer): number {
  if (bytes.subarray(0, delimiter.length).equals(delimiter)) return 0;
  const found = bytes.indexOf(Buffer.concat([CRLF, delimiter]));
  return found < 0 ? -1 : found + CRLF.length;
}

function readPart(part: Buffer): FormPart | undefined {
  const end = part.indexOf(HEADERS_END);
  if (end < 0) return undefined;
  const name = /^content-disposition:[^\r\n]*[;\s]name=(?:"([^"\r\n]*)"|([^;\s]+))/im.exec(part.toString("latin1", 0, end));
  return name ? { name: name[1] ?? name[2]!, content: part.subarray(end + HEADERS_END.length) } : undefined;
}

/** Reads an URL-encoded form. */
export function readUrlEncoded(body: Uint8Array): readonly FormPart[] {
  const fields = new URLSearchParams(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
  return [...fields].slice(0, MAX_PARTS).map(([name, value]) => ({ name, content: Buffer.from(value, "utf8") }));
}
