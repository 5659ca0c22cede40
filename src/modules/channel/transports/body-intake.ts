import type { Readable } from "node:stream";

/** Why a body was not read: it is too large, or too much is under way. */
export type Unread = "too-large" | "busy";

/** Call `release` when nobody needs the bytes any more. */
export type Taken = { body: Uint8Array | Unread; release(): void };

/** This much of each body is always read. */
const FREE_BYTES = 64 * 1024;
const MEGABYTE = 1024 * 1024;

/** The room for what lies between two lengths of every body. */
class Room {
  readonly #from: number;
  readonly #to: number;
  readonly #limit: number;
  #used = 0;

  constructor(from: number, to: number, limit: number) {
    this.#from = from;
    this.#to = to;
    this.#limit = limit;
  }

  /** Whether a body may grow. One that needs nothing of this room always may. */
  fits(length: number, longer: number): boolean {
    const more = this.#shareOf(longer) - this.#shareOf(length);
    return more === 0 || this.#used + more <= this.#limit;
  }

  change(before: number, after: number): void {
    this.#used += this.#shareOf(after) - this.#shareOf(before);
  }

  #shareOf(length: number): number {
    return Math.max(0, Math.min(length, this.#to) - this.#from);
  }
}

/**
 * Reads the bodies of messages. The first megabytes of all together hold at most `limit` bytes, not counting the first `FREE_BYTES` of
 * each, and what is beyond them as much again: larger bodies never block smaller ones.
 */
export class BodyIntake {
  readonly #rooms: readonly Room[];
  readonly #silenceMs: number;

  /** A body that takes room is aborted after `silenceMs` of silence, so that it does not hold it for nothing. */
  constructor(limit: number, silenceMs: number) {
    this.#rooms = [new Room(FREE_BYTES, MEGABYTE, limit), new Room(MEGABYTE, Infinity, limit)];
    this.#silenceMs = silenceMs;
  }

  /** Reads at most `most` bytes of a stream, and none when it announces more. Rejects with the stream's error, or when its sender had already left. */
  read(stream: Readable, most: number, announced = 0): Promise<Taken> {
    if (stream.destroyed) return Promise.reject(connectionBroken());
    const { promise, resolve, reject } = Promise.withResolvers<Taken>();
    let gathered = new Gathered(announced);
    let taken = 0;
    const hold = (length: number) => {
      for (const room of this.#rooms) room.change(taken, length);
      taken = length;
    };
    const release = () => hold(0);
    const take = (chunk: Uint8Array) => {
      const length = taken + chunk.byteLength;
      if (length > most) return leave("too-large");
      if (!this.#rooms.every((room) => room.fits(taken, length))) return leave("busy");
      if (taken <= FREE_BYTES && length > FREE_BYTES) endWhenSilent(stream, this.#silenceMs);
      hold(length);
      gathered.add(chunk);
    };
    /** Discards the rest. */
    const leave = (body: Unread) => {
      stream.off("data", take).resume();
      gathered = new Gathered(0);
      release();
      resolve({ body, release });
    };
    if (announced > most) leave("too-large");
    else stream.on("data", take);
    stream.once("end", () => resolve({ body: gathered.all(), release }));
    stream.once("error", (error) => {
      release();
      reject(error);
    });
    return promise;
  }
}

/**
 * Joins the chunks of a body. A small body that announced its length is copied into place as it comes: copying it
 * at the end would take the memory twice.
 */
class Gathered {
  readonly #announced: number;
  readonly #chunks: Uint8Array[] = [];
  #place: Buffer | undefined;
  #placed = 0;

  constructor(announced: number) {
    this.#announced = announced <= MEGABYTE ? announced : 0;
  }

  add(chunk: Uint8Array): void {
    const end = this.#placed + chunk.byteLength;
    const isWhole = !this.#place && end === this.#announced;
    if (isWhole || end > this.#announced || this.#chunks.length > 0) return void this.#chunks.push(chunk);
    this.#place ??= Buffer.allocUnsafeSlow(this.#announced);
    this.#place.set(chunk, this.#placed);
    this.#placed = end;
  }

  all(): Uint8Array {
    const parts = this.#place ? [this.#place.subarray(0, this.#placed), ...this.#chunks] : this.#chunks;
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}

/** As Node says it. */
function connectionBroken(): Error {
  return Object.assign(new Error("aborted"), { code: "ECONNRESET" });
}

function endWhenSilent(stream: Readable, milliseconds: number): void {
  const timer = setTimeout(() => stream.destroy(connectionBroken()), milliseconds);
  const stop = () => clearTimeout(timer);
  stream.on("data", () => timer.refresh());
  stream.once("end", stop).once("close", stop);
}
