import type { FastifyInstance, FastifyRequest } from "fastify";
import { MAX_FIELDS } from "./form.ts";
import { HttpException } from "./http-error.ts";

const MULTIPART_TYPE = "multipart/form-data";

/** Accepts multipart forms on all routes. Ignores files. */
export function acceptMultipartForms(app: FastifyInstance): void {
  app.addContentTypeParser(MULTIPART_TYPE, { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) =>
    toFields(readParts(request, body).filter(({ isFile }) => !isFile)),
  );
}

export function acceptFiles(app: FastifyInstance): void {
  app.removeContentTypeParser(MULTIPART_TYPE);
  app.addContentTypeParser(MULTIPART_TYPE, { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) =>
    toFields(readParts(request, body)),
  );
}

function readParts({ headers }: FastifyRequest, body: Buffer): readonly FormPart[] {
  const parts = readMultipart(body, headers["content-type"] ?? "", { maxParts: MAX_FIELDS });
  if (!parts) throw new HttpException(400, `The body is not valid multipart/form-data (RFC 7578) with at most ${MAX_FIELDS} parts`);
  return parts;
}

function toFields(parts: readonly FormPart[]): Record<string, unknown> {
  const partsByName = Map.groupBy(parts, ({ name }) => name);
  return Object.fromEntries([...partsByName].map(([name, sent]) => [name, sent.length === 1 ? partValue(sent[0]!) : sent.map(partValue)]));
}

function partValue({ isFile, content }: FormPart): string | Buffer {
  return isFile ? content : content.toString("utf8");
}

export type FormPart = { name: string; content: Buffer; type: string | undefined; isFile: boolean };

/** `isComplete` is false if only the start of the body is available. In that case, the last part may be truncated. */
export type MultipartOptions = { maxParts: number; isComplete?: boolean };

/** Reads a multipart form (RFC 7578). Lines may also end with only LF. Returns undefined if the form is invalid or has too many parts. */
export function readMultipart(body: Uint8Array, contentType: string, options: MultipartOptions): readonly FormPart[] | undefined {
  const { maxParts, isComplete = true } = options;
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  if (!boundary) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`, "latin1");
  const lineEnd = findLineEnd(bytes, delimiter);
  const nextDelimiter = Buffer.concat([lineEnd, delimiter]);
  const parts: FormPart[] = [];
  let from = bytes.subarray(0, delimiter.length).equals(delimiter) ? 0 : endIndex(bytes.indexOf(nextDelimiter), lineEnd);
  for (let count = 0; from >= 0 && count <= maxParts; count++) {
    const start = from + delimiter.length;
    if (bytes.toString("latin1", start, start + 2) === "--") return parts;
    const end = bytes.indexOf(nextDelimiter, start);
    const part = end < 0 && isComplete ? undefined : readPart(bytes.subarray(start, end < 0 ? undefined : end), lineEnd);
    if (part) parts.push(part);
    from = endIndex(end, lineEnd);
  }
  return isComplete ? undefined : parts;
}

const CRLF = Buffer.from("\r\n");
const LF = Buffer.from("\n");

/** Detects the sender's line endings from the first line. */
function findLineEnd(bytes: Buffer, delimiter: Buffer): Buffer {
  const end = bytes.indexOf(LF, bytes.indexOf(delimiter));
  return end > 0 && bytes[end - 1] !== CRLF[0] ? LF : CRLF;
}

function endIndex(index: number, { length }: Buffer): number {
  return index < 0 ? -1 : index + length;
}

function readPart(part: Buffer, lineEnd: Buffer): FormPart | undefined {
  const headersEnd = Buffer.concat([lineEnd, lineEnd]);
  const end = part.indexOf(headersEnd);
  if (end < 0) return undefined;
  const headers = part.toString("utf8", 0, end);
  const disposition = /^content-disposition:([^\r\n]*)/im.exec(headers)?.[1] ?? "";
  const name = /[;\s]name=(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  if (!name) return undefined;
  const type = /^content-type:([^\r\n]*)/im.exec(headers)?.[1];
  const isFile = /[;\s]filename\*?=/i.test(disposition);
  return { name: name[1] ?? name[2]!, content: part.subarray(end + headersEnd.length), type, isFile };
}
