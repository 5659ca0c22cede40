import { LRUCache } from "lru-cache";

export type CacheStats = {
  name: string;
  about: string;
  entries: number;
  /** When the oldest entry was stored, in milliseconds since 1970. */
  oldest: number | undefined;
  limit: number;
  lifetime: number;
  hits: number;
  misses: number;
};

export type RegisteredCache = { describe(): CacheStats; clear(): void };

export class CacheRegistry {
  readonly #caches: RegisteredCache[] = [];

  add<T extends RegisteredCache>(cache: T): T {
    this.#caches.push(cache);
    return cache;
  }

  list(): readonly RegisteredCache[] {
    return this.#caches;
  }
}

type MemoryCacheOptions = Pick<CacheStats, "name" | "about" | "limit" | "lifetime">;

/** A bounded cache. Callers pass the current time. Ignores entries from the future, because the clock may be set back. */
export class MemoryCache<T> implements RegisteredCache {
  readonly #options: MemoryCacheOptions;
  readonly #entries: LRUCache<string, { value: T; storedAt: number }>;
  #hits = 0;
  #misses = 0;

  constructor(options: MemoryCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.limit });
  }

  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.storedAt <= now && now < entry.storedAt + this.#options.lifetime) {
      this.#hits++;
      return entry.value;
    }
    this.#misses++;
    return undefined;
  }

  set(key: string, value: T, now: number): void {
    this.#entries.set(key, { value, storedAt: now });
  }

  describe(): CacheStats {
    const oldestStoredAt = Math.min(...this.#entries.values().map(({ storedAt }) => storedAt));
    return {
      ...this.#options,
      entries: this.#entries.size,
      oldest: this.#entries.size === 0 ? undefined : oldestStoredAt,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  clear(): void {
    this.#entries.clear();
  }
}
