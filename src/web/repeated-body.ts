import type { FastifyReply } from "fastify";
import { chooseCoding, type Coding, compressNow, type Effort } from "./compression.ts";

/** Text that is answered again and again: compressed at most once for each coding. */
export class RepeatedBody {
  readonly #plain: Buffer;
  readonly #effort: Effort;
  readonly #compressed = new Map<Coding, Buffer>();

  constructor(plain: Buffer, effort: Effort) {
    this.#plain = plain;
    this.#effort = effort;
  }

  /** Bytes of the text, not compressed. */
  get length(): number {
    return this.#plain.length;
  }

  /** The bytes that suit the request; the headers of the reply say how they are coded. */
  forReply(reply: FastifyReply): Buffer {
    const coding = chooseCoding(reply, this.#plain.length);
    return coding === undefined
      ? this.#plain
      : this.#compressed.getOrInsertComputed(coding, () => compressNow(this.#plain, coding, this.#effort));
  }
}
