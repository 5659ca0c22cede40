import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { FastifyReply } from "fastify";

/** Text shorter than this is sent as it is. */
export const COMPRESS_FROM_BYTES = 1024;
/** Higher takes many times as long and saves little: an answer is waiting. */
const BROTLI_QUALITY = 5;

/** The codings that answers are compressed with, the one that is preferred first. */
export const CODINGS = ["br", "gzip"] as const;
type Coding = (typeof CODINGS)[number];

/** Text that is answered again and again: compressed at most once for each coding. */
export class RepeatedBody {
  readonly #plain: Buffer;
  readonly #compressed = new Map<Coding, Buffer>();

  constructor(plain: Buffer) {
    this.#plain = plain;
  }

  /** Bytes of the text, not compressed. */
  get length(): number {
    return this.#plain.length;
  }

  /** The bytes that suit the request; the headers of the reply say how they are coded. */
  forReply(reply: FastifyReply): Buffer {
    if (this.#plain.length < COMPRESS_FROM_BYTES) return this.#plain;
    reply.header("vary", reply.hasHeader("vary") ? `${String(reply.getHeader("vary"))}, accept-encoding` : "accept-encoding");
    const coding = acceptedCoding(reply.request.headers["accept-encoding"]);
    if (coding === undefined) return this.#plain;
    reply.header("content-encoding", coding);
    return this.#in(coding);
  }

  #in(coding: Coding): Buffer {
    const known = this.#compressed.get(coding);
    if (known) return known;
    const made = coding === "br" ? brotli(this.#plain) : gzipSync(this.#plain);
    this.#compressed.set(coding, made);
    return made;
  }
}

function brotli(plain: Buffer): Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  return brotliCompressSync(plain, { params });
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
