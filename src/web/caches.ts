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
  /** Bytes that the entries take; undefined where they are too small to be weighed. */
  bytes(): number | undefined;
  /** When the oldest entry was made, in milliseconds since 1970; undefined without entries. */
  oldest(): number | undefined;
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

type MemoryCacheOptions<T> = {
  name: string;
  about: string;
  limit: number;
  lifetime: number;
  /** What values may weigh together, where some weigh far more than others. */
  weight?: { of(value: T): number; limit: number };
};

type Entry<T> = { value: T; made: number; weight: number };

/** Keeps at most `limit` values for at most `lifetime` ms each; the one least recently used goes first. */
export class MemoryCache<T> implements Cache {
  readonly name: string;
  readonly about: string;
  readonly limit: number;
  readonly lifetime: number;
  readonly #values = new Map<string, Entry<T>>();
  readonly #weigh: ((value: T) => number) | undefined;
  readonly #heaviest: number;
  #weight = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: MemoryCacheOptions<T>) {
    this.name = options.name;
    this.about = options.about;
    this.limit = options.limit;
    this.lifetime = options.lifetime;
    this.#weigh = options.weight?.of;
    this.#heaviest = options.weight?.limit ?? 0;
  }

  get(key: string, now: number): T | undefined {
    const found = this.#values.get(key);
    if (!found || found.made + this.lifetime <= now) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  set(key: string, value: T, now: number): void {
    this.#drop(key);
    const weight = this.#weigh?.(value) ?? 0;
    this.#values.set(key, { value, made: now, weight });
    this.#weight += weight;
    while (this.#values.size > this.limit || this.#weight > this.#heaviest) this.#drop(this.#values.keys().next().value!);
  }

  #drop(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }

  entries(): number {
    return this.#values.size;
  }

  bytes(): number | undefined {
    return this.#weigh && this.#weight;
  }

  oldest(): number | undefined {
    const made = [...this.#values.values()].map((entry) => entry.made);
    return made.length === 0 ? undefined : Math.min(...made);
  }

  hits(): number {
    return this.#hits;
  }

  misses(): number {
    return this.#misses;
  }

  clear(): void {
    this.#values.clear();
    this.#weight = 0;
  }
}
