/** A named, bounded cache, shown at `/tools/caches`. */
export type Cache = {
  readonly name: string;
  /** One sentence: what is kept and for how long. */
  readonly about: string;
  /** Entries at most. */
  readonly limit: number;
  /** Milliseconds that an entry is kept at most. */
  readonly lifetime: number;
  entries(): number;
  hits(): number;
  misses(): number;
  clear(): void;
};

/** Every cache of this process. */
export class Caches {
  readonly #caches = new Map<string, Cache>();

  add<T extends Cache>(cache: T): T {
    this.#caches.set(cache.name, cache);
    return cache;
  }

  list(): Cache[] {
    return [...this.#caches.values()];
  }
}

/** Keeps at most `limit` values for at most `lifetime` ms each; the one least recently used goes first. */
export class MemoryCache<T> implements Cache {
  readonly name: string;
  readonly about: string;
  readonly limit: number;
  readonly lifetime: number;
  readonly #values = new Map<string, { value: T; until: number }>();
  #hits = 0;
  #misses = 0;

  constructor(options: { name: string; about: string; limit: number; lifetime: number }) {
    this.name = options.name;
    this.about = options.about;
    this.limit = options.limit;
    this.lifetime = options.lifetime;
  }

  get(key: string, now: number): T | undefined {
    const found = this.#values.get(key);
    if (!found || found.until <= now) {
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
    this.#values.set(key, { value, until: now + this.lifetime });
    if (this.#values.size > this.limit) this.#values.delete(this.#values.keys().next().value!);
  }

  entries(): number {
    return this.#values.size;
  }

  hits(): number {
    return this.#hits;
  }

  misses(): number {
    return this.#misses;
  }

  clear(): void {
    this.#values.clear();
  }
}
