/** What is told of a cache at `/tools/caches`. */
export type CacheFacts = {
  name: string;
  /** One sentence: what is kept and for how long. */
  about: string;
  entries: number;
  /** Of all entries; undefined where they are too small to be weighed. */
  bytes: number | undefined;
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

type MemoryCacheOptions<T> = Pick<CacheFacts, "name" | "about" | "limit" | "lifetime"> & {
  /** What values may weigh together, where some weigh far more than others. */
  weight?: { of(value: T): number; limit: number };
};

type Entry<T> = { value: T; made: number; weight: number };

/** Keeps at most `limit` values for at most `lifetime` ms each; the one least recently used goes first. */
export class MemoryCache<T> implements Cache {
  readonly #options: MemoryCacheOptions<T>;
  readonly #values = new Map<string, Entry<T>>();
  #weight = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: MemoryCacheOptions<T>) {
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
    const { limit, weight: scales } = this.#options;
    this.#drop(key);
    const weight = scales?.of(value) ?? 0;
    this.#values.set(key, { value, made: now, weight });
    this.#weight += weight;
    while (this.#values.size > limit || this.#weight > (scales?.limit ?? 0)) this.#drop(this.#values.keys().next().value!);
  }

  #drop(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }

  describe(): CacheFacts {
    const { weight, ...told } = this.#options;
    const made = [...this.#values.values()].map((entry) => entry.made);
    return {
      ...told,
      entries: this.#values.size,
      bytes: weight && this.#weight,
      oldest: made.length === 0 ? undefined : Math.min(...made),
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  clear(): void {
    this.#values.clear();
    this.#weight = 0;
  }
}
