import type { FastifyReply } from "fastify";
import { chooseCoding, type Coding, compressNow } from "./compression.ts";

/** A text that many requests get; it is compressed once for each coding. */
export class RepeatedBody {
  readonly #plain: Buffer;
  readonly #compressed = new Map<Coding, Buffer>();

  constructor(plain: Buffer) {
    this.#plain = plain;
  }

  /** The bytes that suit the request; the headers of the reply say how they are coded. */
  forReply(reply: FastifyReply): Buffer {
    const coding = chooseCoding(reply, this.#plain.length);
    return coding === undefined
      ? this.#plain
      : this.#compressed.getOrInsertComputed(coding, () => compressNow(this.#plain, coding, "small"));
  }
}
