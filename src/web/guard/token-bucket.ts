import { LRUCache } from "lru-cache";

export type BucketRate = { burst: number; perSecond: number };

/** Returns the rate for one of several processes, assuming that they share the load evenly. */
export function shareOfRate({ burst, perSecond }: BucketRate, processes: number): BucketRate {
  return { burst: burst / processes, perSecond: perSecond / processes };
}

type TokenBucket = { tokens: number; filledAt: number };

/** Limits the rate per key, such as an address. Forgets the least recently used keys beyond `maxKeys`. */
export class TokenBuckets {
  readonly #rate: BucketRate;
  readonly #maxKeys: number;
  #cache: LRUCache<string, TokenBucket> | undefined;

  constructor(rate: BucketRate, maxKeys: number) {
    this.#rate = rate;
    this.#maxKeys = maxKeys;
  }

  /** Created on first use, because a cache allocates space for the maximum number of keys. */
  get #buckets(): LRUCache<string, TokenBucket> {
    return (this.#cache ??= new LRUCache({ max: this.#maxKeys }));
  }

  /** Takes `count` tokens and returns 0, or returns the seconds until enough tokens are available. `now` is in milliseconds. */
  take(key: string, count: number, now: number): number {
    const { burst, perSecond } = this.#rate;
    const tokens = this.#tokens(key, now);
    const missingTokens = Math.min(count, burst) - tokens;
    this.#buckets.set(key, { tokens: missingTokens > 0 ? tokens : tokens - count, filledAt: now });
    return missingTokens > 0 ? Math.ceil(missingTokens / perSecond) : 0;
  }

  /** Takes `count` tokens even if fewer are available. Until they are refilled, `take` returns a waiting time, even for 0 tokens. */
  spend(key: string, count: number, now: number): void {
    this.#buckets.set(key, { tokens: this.#tokens(key, now) - count, filledAt: now });
  }

  #tokens(key: string, now: number): number {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledAt: now };
    return Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) / 1000) * perSecond);
  }
}
