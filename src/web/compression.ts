import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";
import Negotiator from "negotiator";
import { onSend } from "./hooks.ts";

const MIN_BYTES = 1024;
/** Longer text is compressed on a separate thread. For shorter text, passing it to the thread takes longer than compressing it. */
const LARGE_BYTES = 256 * 1024;

/**
 * `fast` is for content that is sent only once. Pages become 1 to 2 kB larger than with `small`, which would take half as long as rendering
 * the page.
 */
type CompressionEffort = "fast" | "small";
const COMPRESSION_LEVELS = { br: { fast: 1, small: 5 }, gzip: { fast: 1, small: 6 } } as const;

const CODINGS = ["br", "gzip"] as const;
export type ContentCoding = (typeof CODINGS)[number];

const TEXT_TYPE_PATTERN = /^text\/|[/+](?:xml|json)\b/;

/** Compresses text responses. Call after all other hooks that change responses. */
export function addCompression(app: FastifyInstance): void {
  onSend(app, (_request, reply, payload) => {
    if (typeof payload !== "string" && !(payload instanceof Uint8Array)) return payload;
    if (reply.hasHeader("content-encoding") || !TEXT_TYPE_PATTERN.test(String(reply.getHeader("content-type")))) return payload;
    const coding = chooseCoding(reply, payload.length);
    return coding === undefined ? payload : compressBytes(payload, coding);
  });
}

export function chooseCoding(reply: FastifyReply, length: number): ContentCoding | undefined {
  if (length < MIN_BYTES) return undefined;
  const vary = reply.getHeader("vary") ?? "accept-encoding";
  reply.header("vary", String(vary).includes("accept-encoding") ? vary : `${String(vary)}, accept-encoding`);
  const acceptedCodings = reply.request.headers["accept-encoding"] ? new Negotiator(reply.request).encodings([...CODINGS]) : [];
  const coding = CODINGS.find((one) => acceptedCodings.includes(one));
  if (coding !== undefined) reply.header("content-encoding", coding);
  return coding;
}

export function compressSync(bytes: string | Uint8Array, coding: ContentCoding, effort: CompressionEffort): Buffer {
  return coding === "br"
    ? brotliCompressSync(bytes, brotliOptions(bytes, effort))
    : gzipSync(bytes, { level: COMPRESSION_LEVELS.gzip[effort] });
}

const compressInThread = { br: promisify(brotliCompress), gzip: promisify(gzip) };

function compressBytes(bytes: string | Uint8Array, coding: ContentCoding): Buffer | Promise<Buffer> {
  if (bytes.length < LARGE_BYTES) return compressSync(bytes, coding, "fast");
  return coding === "br"
    ? compressInThread.br(bytes, brotliOptions(bytes, "small"))
    : compressInThread.gzip(bytes, { level: COMPRESSION_LEVELS.gzip.small });
}

function brotliOptions({ length }: string | Uint8Array, effort: CompressionEffort) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESSION_LEVELS.br[effort], [constants.BROTLI_PARAM_SIZE_HINT]: length } };
}
