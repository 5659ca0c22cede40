import type { Readable } from "node:stream";

/** Why a body was not read: it is too large, or too much is under way. */
export type Unread = "too-large" | "busy";

/** Call `release` when nobody needs the bytes any more. */
export type Taken = { body: Uint8Array | Unread; release(): void };

/** This much of each body is always read, so that large bodies never block small ones. */
const FREE_BYTES = 1024 * 1024;

/** Reads the bodies of messages. Together they hold at most `limit` bytes, not counting the first `FREE_BYTES` of each. */
export class BodyIntake {
  readonly #limit: number;
  readonly #silenceMs: number;
  #underWay = 0;

  /** A large body is aborted after `silenceMs` of silence, so that it does not hold room for nothing. */
  constructor(limit: number, silenceMs: number) {
    this.#limit = limit;
    this.#silenceMs = silenceMs;
  }

  /** Reads at most `most` bytes of a stream, and none when it announces more. Rejects with the stream's error, or when its sender had already left. */
  read(stream: Readable, most: number, announced = 0): Promise<Taken> {
    if (stream.destroyed) return Promise.reject(connectionBroken());
    const { promise, resolve, reject } = Promise.withResolvers<Taken>();
    let gathered = new Gathered(announced);
    let length = 0;
    let taken = 0;
    const release = () => {
      this.#underWay -= taken;
      taken = 0;
    };
    const take = (chunk: Uint8Array) => {
      length += chunk.byteLength;
      const more = Math.max(0, length - FREE_BYTES) - taken;
      if (length > most) return leave("too-large");
      if (more > 0 && this.#underWay + more > this.#limit) return leave("busy");
      if (more > 0 && taken === 0) endWhenSilent(stream, this.#silenceMs);
      this.#underWay += more;
      taken += more;
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
    this.#announced = announced <= FREE_BYTES ? announced : 0;
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
