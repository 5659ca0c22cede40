import type { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import type { Reserve } from "./body-room.ts";
import { Gathered } from "./gathered.ts";

/** Why a body was not read: it is too large, it came too slowly, or too much else is under way. */
export type Unread = "too-large" | "too-slow" | "busy";

export type BodyLimits = {
  /** The most bytes of one body. */
  most: number;
  /** How much is read before the sender is known. */
  beginning: number;
  /** The most bytes that all beginnings hold together while they arrive, and how long each may take. */
  beginnings: number;
  beginningMs: number;
  /**
   * The most bytes that the bodies of known senders hold: the first megabytes of all together, not counting the first `FREE_BYTES` of each,
   * and as much again beyond. So larger bodies never block smaller ones.
   */
  underWay: number;
  /** How long the body of a known sender may pause. */
  silenceMs: number;
  /** How much is read of the rest of a body that was refused before its sender was known, and how soon after the answer its connection closes. */
  discarded: number;
  lingerMs: number;
};

type BodyOptions = { announced: number; limits: BodyLimits; beginnings: Reserve; underWay: Reserve };

/**
 * The body of one request. Its sender is unknown until `admit` is called. Reading rejects with the error of the stream, or if the client has
 * already disconnected.
 */
export class Body {
  readonly #stream: Readable;
  readonly #options: BodyOptions;
  readonly #gathered: Gathered;
  #reserve: Reserve;
  #held = 0;
  #ended = false;
  #stop: ((reason: Unread) => void) | undefined;

  constructor(stream: Readable, options: BodyOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#gathered = new Gathered(options.announced);
    this.#reserve = options.beginnings;
  }

  /** Whether everything was read. */
  get isWhole(): boolean {
    return this.#ended;
  }

  /** Whether the connection ended before the body did. */
  get isBroken(): boolean {
    return !this.#ended && this.#stream.destroyed;
  }

  /** The sender is known. */
  admit(): void {
    if (this.#isAdmitted) return;
    const held = this.#held;
    this.release();
    this.#reserve = this.#options.underWay;
    this.#hold(held);
  }

  /** Reads at least the beginning, or everything if that is less. */
  async beginning(): Promise<Uint8Array | Unread> {
    return (await this.#read(this.#options.limits.beginning)) ?? this.#gathered.bytes();
  }

  async whole(): Promise<Uint8Array | Unread> {
    return (await this.#read(Infinity)) ?? this.#gathered.bytes();
  }

  /** Call when the bytes are no longer needed. */
  release(): void {
    this.#hold(0);
  }

  /** Makes room for others. */
  giveUp(): void {
    this.release();
    this.#stop?.("too-slow");
  }

  /**
   * Discards the rest, so that the connection can be used again: all of it if the sender is known, else only a little. A connection with
   * more to come closes soon after the answer.
   */
  discardRest(response: EventEmitter): void {
    const stream = this.#stream;
    if (this.#ended || stream.destroyed) return;
    const { announced, limits } = this.#options;
    const { most, discarded, silenceMs, lingerMs } = limits;
    let left = this.#isAdmitted ? most : discarded;
    let timer: NodeJS.Timeout | undefined;
    const closeLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => stream.destroy(), this.#isAdmitted ? silenceMs : lingerMs);
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
    if (announced - this.#gathered.length <= left) stream.resume();
    // Without this Node would read all of it.
    else stream.pause().read(0);
    response.once("finish", () => {
      if (!this.#ended && !stream.destroyed) closeLater();
    });
  }

  get #isAdmitted(): boolean {
    return this.#reserve === this.#options.underWay;
  }

  #hold(length: number): boolean {
    const fits = this.#reserve.resize(this, this.#held, length);
    if (fits) this.#held = length;
    return fits;
  }

  /** Reads until `length` bytes are there or the body ends; resolves to the reason if it can't. */
  #read(length: number): Promise<Unread | undefined> {
    const stream = this.#stream;
    const { announced, limits } = this.#options;
    if (announced > limits.most) return Promise.resolve("too-large");
    if (this.#ended || this.#gathered.length >= length) return Promise.resolve(undefined);
    if (stream.destroyed) return Promise.reject(connectionBroken());
    this.#hold(Math.max(1, this.#gathered.length));
    const { promise, resolve, reject } = Promise.withResolvers<Unread | undefined>();
    const giveUpLater = () => setTimeout(() => resolve("too-slow"), this.#isAdmitted ? limits.silenceMs : limits.beginningMs);
    let timer = giveUpLater();
    const take = (chunk: Uint8Array) => {
      if (this.#isAdmitted) {
        clearTimeout(timer);
        timer = giveUpLater();
      }
      const problem = this.#take(chunk);
      if (problem !== undefined || this.#gathered.length >= length) pause(problem);
    };
    const pause = (problem: Unread | undefined) => {
      stream.pause();
      resolve(problem);
    };
    const end = () => {
      this.#ended = true;
      resolve(undefined);
    };
    this.#stop = pause;
    stream.on("data", take).once("end", end).once("error", reject).resume();
    return promise.finally(() => {
      this.#stop = undefined;
      clearTimeout(timer);
      stream.off("data", take).off("end", end).off("error", reject);
      if (!this.#ended) stream.pause();
    });
  }

  #take(chunk: Uint8Array): Unread | undefined {
    const length = this.#gathered.length + chunk.byteLength;
    if (length > this.#options.limits.most) return "too-large";
    if (!this.#hold(length)) return "busy";
    this.#gathered.add(chunk);
    return undefined;
  }
}

/** As Node reports it. */
function connectionBroken(): Error {
  return Object.assign(new Error("aborted"), { code: "ECONNRESET" });
}
