import type { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import type { BodyLimits } from "../limits.ts";
import { AdmittedBodies, type MemoryReservation, UnverifiedBodies } from "./body-memory.ts";

/** Why a body was not read. `busy` means that too many other bodies are being read or handled. */
export type UnreadReason = "too-large" | "too-slow" | "busy";

/** Opens message bodies and limits the total memory they use. */
export class BodyReader {
  readonly #limits: BodyLimits;
  readonly #unverified: UnverifiedBodies;
  readonly #admitted: AdmittedBodies;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#unverified = new UnverifiedBodies(limits.allPrefixes);
    this.#admitted = new AdmittedBodies(limits.allAdmitted);
  }

  /** `declared` is the Content-Length, or 0 if there is none. */
  open(stream: Readable, declared = 0): RequestBody {
    return new RequestBody(stream, { declared, limits: this.#limits, unverifiedMemory: this.#unverified, admittedMemory: this.#admitted });
  }
}

type BodyOptions = { declared: number; limits: BodyLimits; unverifiedMemory: MemoryReservation; admittedMemory: MemoryReservation };

/** A request body. Reading it rejects if the stream fails or the client disconnects. */
export class RequestBody {
  readonly #stream: Readable;
  readonly #options: BodyOptions;
  readonly #chunks: ChunkBuffer;
  #reserve: MemoryReservation;
  #held = 0;
  #ended = false;
  #stop: ((reason: UnreadReason) => void) | undefined;

  constructor(stream: Readable, options: BodyOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#chunks = new ChunkBuffer(options.declared);
    this.#reserve = options.unverifiedMemory;
  }

  /** Number of bytes that have arrived so far. */
  get length(): number {
    return this.#chunks.length;
  }

  get isComplete(): boolean {
    return this.#ended;
  }

  get isBroken(): boolean {
    return !this.#ended && this.#stream.destroyed;
  }

  admit(): void {
    if (this.#isAdmitted) return;
    const heldBytes = this.#held;
    this.release();
    this.#reserve = this.#options.admittedMemory;
    this.#hold(heldBytes);
  }

  async readPrefix(): Promise<Uint8Array | UnreadReason> {
    return (await this.#read(this.#options.limits.prefix)) ?? this.#chunks.bytes();
  }

  async readAll(): Promise<Uint8Array | UnreadReason> {
    return (await this.#read(Infinity)) ?? this.#chunks.bytes();
  }

  release(): void {
    this.#hold(0);
  }

  drop(): void {
    this.release();
    this.#stop?.("too-slow");
  }

  /**
   * Discards the rest of the body, so that the connection can be reused. Discards only a little if the sender is unknown. If more arrives,
   * the connection closes soon after the response.
   */
  discardRest(response: EventEmitter): void {
    const stream = this.#stream;
    if (this.#ended || stream.destroyed) return;
    const { declared, limits } = this.#options;
    const { body, discardBytes, maxPauseMs, lingerMs } = limits;
    let left = this.#isAdmitted ? body : discardBytes;
    let timer: NodeJS.Timeout | undefined;
    const closeLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => stream.destroy(), this.#isAdmitted ? maxPauseMs : lingerMs);
    };
    stream.on("data", (chunk: Uint8Array) => {
      left -= chunk.byteLength;
      if (left < 0) stream.pause();
      else if (timer && this.#isAdmitted) closeLater();
    });
    stream.once("end", () => {
      this.#ended = true;
      clearTimeout(timer);
    });
    stream.once("close", () => clearTimeout(timer));
    if (declared - this.#chunks.length <= left) stream.resume();
    // Unless the stream is paused, Node would read the whole body.
    else stream.pause().read(0);
    response.once("finish", () => {
      if (!this.#ended && !stream.destroyed) closeLater();
    });
  }

  get #isAdmitted(): boolean {
    return this.#reserve === this.#options.admittedMemory;
  }

  #hold(length: number): boolean {
    const fits = this.#reserve.resize(this, this.#held, length);
    if (fits) this.#held = length;
    return fits;
  }

  /** Reads until `length` bytes have arrived or the body ends. If the body can't be read, resolves to the reason. */
  #read(length: number): Promise<UnreadReason | undefined> {
    const stream = this.#stream;
    const { declared, limits } = this.#options;
    if (declared > limits.body) return Promise.resolve("too-large");
    if (this.#ended || this.#chunks.length >= length) return Promise.resolve(undefined);
    if (stream.destroyed) return Promise.reject(connectionBroken());
    this.#hold(Math.max(1, this.#chunks.length));
    const { promise, resolve, reject } = Promise.withResolvers<UnreadReason | undefined>();
    const giveUpLater = () => setTimeout(() => resolve("too-slow"), this.#isAdmitted ? limits.maxPauseMs : limits.prefixMs);
    let timer = giveUpLater();
    const takeChunk = (chunk: Uint8Array) => {
      if (this.#isAdmitted) {
        clearTimeout(timer);
        timer = giveUpLater();
      }
      const problem = this.#take(chunk);
      if (problem !== undefined || this.#chunks.length >= length) pauseReading(problem);
    };
    const pauseReading = (problem: UnreadReason | undefined) => {
      stream.pause();
      resolve(problem);
    };
    const end = () => {
      this.#ended = true;
      resolve(undefined);
    };
    this.#stop = pauseReading;
    stream.on("data", takeChunk).once("end", end).once("error", reject).resume();
    return promise.finally(() => {
      this.#stop = undefined;
      clearTimeout(timer);
      stream.off("data", takeChunk).off("end", end).off("error", reject);
      if (!this.#ended) stream.pause();
    });
  }

  #take(chunk: Uint8Array): UnreadReason | undefined {
    const length = this.#chunks.length + chunk.byteLength;
    if (length > this.#options.limits.body) return "too-large";
    if (!this.#hold(length)) return "busy";
    this.#chunks.add(chunk);
    return undefined;
  }
}

function connectionBroken(): Error {
  return Object.assign(new Error("aborted"), { code: "ECONNRESET" });
}

/** Joins the chunks of a body. Uses at most twice the memory of the received bytes, regardless of the declared length. */
class ChunkBuffer {
  readonly #declared: number;
  #bytes: Uint8Array = new Uint8Array();
  length = 0;

  constructor(declared: number) {
    this.#declared = declared;
  }

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.byteLength;
    if (this.length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.byteLength) this.#grow(length);
      this.#bytes.set(chunk, this.length);
    }
    this.length = length;
  }

  #grow(length: number): void {
    const size = Math.max(length, Math.min(2 * this.length, this.#declared || Infinity));
    const grownBuffer = Buffer.allocUnsafeSlow(size);
    grownBuffer.set(this.bytes());
    this.#bytes = grownBuffer;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
