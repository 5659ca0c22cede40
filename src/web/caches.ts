/** What is told of a cache at `/tools/caches`. */
export type CacheFacts = {
  name: string;
  /** One sentence: what is kept and for how long. */
  about: string;
  entries: number;
  /** When the oldest entry was made, in milliseconds since 1970; undefined without entries. */
  oldest: number | undefined;
  /** Entries at most. */
  limit: number;
  /** Milliseconds that an entry is kept at most. */
  lifetime: number;
  hits: number;
  misses: number;
};

/** A bounded cache. */
export type Cache = { describe(): CacheFacts; clear(): void };

/** Every cache of this process. */
export class Caches {
  readonly #caches: Cache[] = [];

  add<T extends Cache>(cache: T): T {
    this.#caches.push(cache);
    return cache;
  }

  list(): readonly Cache[] {
    return this.#caches;
  }
}

type MemoryCacheOptions = Pick<CacheFacts, "name" | "about" | "limit" | "lifetime">;

type Entry<T> = { value: T; made: number };

/** Keeps at most `limit` values for at most `lifetime` ms each; the one least recently used goes first. */
export class MemoryCache<T> implements Cache {
  readonly #options: MemoryCacheOptions;
  readonly #values = new Map<string, Entry<T>>();
  #hits = 0;
  #misses = 0;

  constructor(options: MemoryCacheOptions) {
    this.#options = options;
  }

  /** A value that is not made yet is one of a clock that was ahead. */
  get(key: string, now: number): T | undefined {
    const found = this.#values.get(key);
    if (!found || found.made + this.#options.lifetime <= now || found.made > now) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  set(key: string, value: T, now: number): void {
    this.#values.delete(key);
    this.#values.set(key, { value, made: now });
    if (this.#values.size > this.#options.limit) this.#values.delete(this.#values.keys().next().value!);
  }

  describe(): CacheFacts {
    const made = [...this.#values.values()].map((entry) => entry.made);
    return {
      ...this.#options,
      entries: this.#values.size,
      oldest: made.length === 0 ? undefined : Math.min(...made),
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  clear(): void {
    this.#values.clear();
  }
}
