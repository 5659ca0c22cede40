import { networkOf } from "../../../web/guard/backoff.ts";
import { shareOfRate, TokenBuckets } from "../../../web/guard/token-bucket.ts";

const MEGABYTE = 1024 * 1024;
/** Bytes that the messages of strangers may take in the log: of one address, and of all, some 350 MB a day. */
const EACH = { burst: 16 * MEGABYTE, perSecond: 1_000 };
const ALL = { burst: 64 * MEGABYTE, perSecond: 4_000 };
const ADDRESSES = 10_000;
/** What an entry takes beside the body. */
const ENTRY_BYTES = 1_000;
/** An entry counts at least this much: storing it costs more than its bytes. An address has a thousand of them at once, then one in 16 seconds. */
const LEAST_BYTES = 16 * 1024;

/** A message of a stranger: where it came from, when, and the bytes of it that are worth keeping. */
type Stray = { remote: string | undefined; now: number; bytes: number };

/** Bounds what strangers leave in the log: they are many, and nobody knows them. */
export class Strangers {
  readonly #each: TokenBuckets;
  readonly #all: TokenBuckets;
  #unlogged = 0;

  constructor(workers = 1) {
    this.#each = new TokenBuckets(shareOfRate(EACH, workers), ADDRESSES);
    this.#all = new TokenBuckets(shareOfRate(ALL, workers), 1);
  }

  /** How many bytes of a message there is room for, all or none, and how many messages before it left no entry; `undefined`: nor does this one. */
  admit({ bytes, ...from }: Stray): { bytes: number; unlogged: number } | undefined {
    const kept = [bytes, 0].find((some) => this.#take(from, Math.max(LEAST_BYTES, ENTRY_BYTES + some)));
    const unlogged = this.#unlogged;
    this.#unlogged = kept === undefined ? unlogged + 1 : 0;
    return kept === undefined ? undefined : { bytes: kept, unlogged };
  }

  #take({ remote = "", now }: Omit<Stray, "bytes">, bytes: number): boolean {
    return this.#each.take(networkOf(remote), bytes, now) === 0 && this.#all.take("", bytes, now) === 0;
  }
}
