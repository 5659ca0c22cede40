import { addressNetwork } from "../../../web/guard/backoff.ts";
import { shareOfRate, TokenBuckets } from "../../../web/guard/token-bucket.ts";

/** Limits the number of messages per sender that are handled concurrently, from identification to the response. */
export class SenderSlots {
  readonly #limit: number;
  readonly #taken = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a slot and returns a function that releases it, or undefined if the sender has no free slot. */
  take(sender: string): (() => void) | undefined {
    const takenSlots = this.#taken.get(sender) ?? 0;
    if (takenSlots >= this.#limit) return undefined;
    this.#taken.set(sender, takenSlots + 1);
    return () => this.#free(sender);
  }

  #free(sender: string): void {
    const slotsLeft = this.#taken.get(sender)! - 1;
    if (slotsLeft === 0) this.#taken.delete(sender);
    else this.#taken.set(sender, slotsLeft);
  }
}

const BYTES_PER_MEGABYTE = 1024 * 1024;
const MINUTE_SECONDS = 60;
const MAX_TRACKED_SENDERS = 10_000;

type PerMinute = { messages?: number | undefined; megabytes?: number | undefined };

/**
 * Limits each sender's messages and bytes per minute. A sender may use up a minute's quota in one burst. The message that exceeds the byte
 * limit is still handled. If a limit is undefined, there is no limit.
 */
export class SenderRate {
  readonly #messages: TokenBuckets | undefined;
  readonly #bytes: TokenBuckets | undefined;

  constructor({ messages, megabytes }: PerMinute = {}, workers = 1) {
    this.#messages = createBuckets(messages, workers);
    this.#bytes = createBuckets(megabytes === undefined ? undefined : megabytes * BYTES_PER_MEGABYTE, workers);
  }

  /**
   * Counts a message and returns 0. If the quota is used up, returns the seconds until the sender may send again. `now` is in milliseconds.
   */
  take(sender: string, now: number): number {
    return this.#bytes?.take(sender, 0, now) || (this.#messages?.take(sender, 1, now) ?? 0);
  }

  countBytes(sender: string, bytes: number, now: number): void {
    this.#bytes?.spend(sender, bytes, now);
  }
}

function createBuckets(perMinute: number | undefined, workers: number): TokenBuckets | undefined {
  if (perMinute === undefined) return undefined;
  return new TokenBuckets(shareOfRate({ burst: perMinute, perSecond: perMinute / MINUTE_SECONDS }, workers), MAX_TRACKED_SENDERS);
}

/** Limits, in bytes, for logging unauthenticated messages: per address, and in total (at most 350 MB a day). */
const ADDRESS_RATE = { burst: 16 * BYTES_PER_MEGABYTE, perSecond: 1_000 };
const TOTAL_RATE = { burst: 64 * BYTES_PER_MEGABYTE, perSecond: 4_000 };
const MAX_TRACKED_ADDRESSES = 10_000;
const ENTRY_BYTES = 1_000;
/**
 * Entries count as at least this size, because storing an entry costs more than storing its bytes. Allows a burst of a thousand entries,
 * then one every 16 s.
 */
const MIN_BYTES = 16 * 1024;

type UnauthenticatedMessage = { remote: string | undefined; now: number; bytes: number };

export class UnauthenticatedQuota {
  readonly #perAddress: TokenBuckets;
  readonly #total: TokenBuckets;
  #unlogged = 0;

  constructor(workers = 1) {
    this.#perAddress = new TokenBuckets(shareOfRate(ADDRESS_RATE, workers), MAX_TRACKED_ADDRESSES);
    this.#total = new TokenBuckets(shareOfRate(TOTAL_RATE, workers), 1);
  }

  /**
   * Returns how many of the message's `bytes` to log, either all or none, and how many messages have been skipped since the last entry.
   * Returns undefined if this message must be skipped too.
   */
  take({ bytes, ...from }: UnauthenticatedMessage): { bytes: number; unlogged: number } | undefined {
    const loggedBytes = [bytes, 0].find((some) => this.#spend(from, Math.max(MIN_BYTES, ENTRY_BYTES + some)));
    const unloggedCount = this.#unlogged;
    this.#unlogged = loggedBytes === undefined ? unloggedCount + 1 : 0;
    return loggedBytes === undefined ? undefined : { bytes: loggedBytes, unlogged: unloggedCount };
  }

  #spend({ remote = "", now }: Omit<UnauthenticatedMessage, "bytes">, bytes: number): boolean {
    return this.#perAddress.take(addressNetwork(remote), bytes, now) === 0 && this.#total.take("", bytes, now) === 0;
  }
}
