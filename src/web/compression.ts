import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";
import { onSend } from "./hooks.ts";

/** Text shorter than this is sent as it is. */
const COMPRESS_FROM_BYTES = 1024;
/** Longer text is compressed on another thread; for shorter one asking that thread takes longer. */
const LARGE_BYTES = 256 * 1024;

/**
 * How hard to compress. `quick`, for what is made for one answer: a page is a third larger than with `small`, 1 to 2 kB, but that would take
 * half as long again as making the page. `small`, for what is compressed once or beside the rest.
 */
type Effort = "quick" | "small";
const LEVELS = { br: { quick: 1, small: 5 }, gzip: { quick: 1, small: 6 } } as const;

/** The codings that answers are compressed with, the one that is preferred first. */
const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** Compresses text for those who accept it. Register it after all hooks that make something of an answer. */
export function addCompression(app: FastifyInstance): void {
  onSend(app, (_request, reply, payload) => {
    if (typeof payload !== "string" && !(payload instanceof Uint8Array)) return payload;
    if (reply.hasHeader("content-encoding") || !TEXT.test(String(reply.getHeader("content-type")))) return payload;
    const coding = chooseCoding(reply, payload.length);
    return coding === undefined ? payload : compress(payload, coding);
  });
}

/** Types of text that we answer, XML and JSON among them. */
const TEXT = /^text\/|[/+](?:xml|json)\b/;

/** The coding that the request asks for, if any, of an answer of that length; the headers of the reply say so. */
export function chooseCoding(reply: FastifyReply, length: number): Coding | undefined {
  if (length < COMPRESS_FROM_BYTES) return undefined;
  const vary = reply.getHeader("vary") ?? "accept-encoding";
  reply.header("vary", String(vary).includes("accept-encoding") ? vary : `${String(vary)}, accept-encoding`);
  const coding = acceptedCoding(reply.request.headers["accept-encoding"]);
  if (coding !== undefined) reply.header("content-encoding", coding);
  return coding;
}

/** Compresses at once. */
export function compressNow(bytes: string | Uint8Array, coding: Coding, effort: Effort): Buffer {
  return coding === "br" ? brotliCompressSync(bytes, brotliOptions(bytes, effort)) : gzipSync(bytes, { level: LEVELS.gzip[effort] });
}

const inThread = { br: promisify(brotliCompress), gzip: promisify(gzip) };

function compress(bytes: string | Uint8Array, coding: Coding): Buffer | Promise<Buffer> {
  if (bytes.length < LARGE_BYTES) return compressNow(bytes, coding, "quick");
  return coding === "br" ? inThread.br(bytes, brotliOptions(bytes, "small")) : inThread.gzip(bytes, { level: LEVELS.gzip.small });
}

function brotliOptions({ length }: string | Uint8Array, effort: Effort) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: LEVELS.br[effort], [constants.BROTLI_PARAM_SIZE_HINT]: length } };
}

/** RFC 9110, 12.5.3; undefined where the text is wanted as it is. Programs that send `*` are as well served with that. */
function acceptedCoding(header: string | string[] | undefined): Coding | undefined {
  if (typeof header !== "string") return undefined;
  const accepted = header
    .toLowerCase()
    .split(",")
    .map((one) => one.split(";").map((part) => part.trim()))
    .filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ""))
    .map(([name]) => name);
  return CODINGS.find((coding) => accepted.includes(coding));
}
