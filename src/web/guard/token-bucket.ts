/** `burst` at once, then `perSecond`. */
export type Rate = { burst: number; perSecond: number };

/** The part of a rate for each of several processes, which share what they limit evenly enough. */
export function shareOfRate({ burst, perSecond }: Rate, processes: number): Rate {
  return { burst: burst / processes, perSecond: perSecond / processes };
}

type Bucket = { tokens: number; filledAt: number };

/** Limits how much each key, such as an address, may ask for. The keys that asked longest ago are forgotten first. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #keys: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, keys: number) {
    this.#rate = rate;
    this.#keys = keys;
  }

  /** Takes `count` tokens; answers 0, or after how many seconds there will be enough. `now` is in milliseconds. */
  take(key: string, count: number, now: number): number {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledAt: now };
    const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) / 1000) * perSecond);
    const missing = Math.min(count, burst) - tokens;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: missing > 0 ? tokens : tokens - count, filledAt: now });
    if (this.#buckets.size > this.#keys) this.#buckets.delete(this.#buckets.keys().next().value!);
    return missing > 0 ? Math.ceil(missing / perSecond) : 0;
  }
}
