/** Number of bytes that are always read of a known sender's body, regardless of the memory in use. */
const FREE_BYTES = 64 * 1024;
const BYTES_PER_MEGABYTE = 1024 * 1024;
/** Every body counts as at least this size, because its connection also needs memory. */
const MIN_BYTES = 4 * 1024;

type MemoryHolder = { drop(): void };

export type MemoryReservation = {
  resize(body: MemoryHolder, from: number, to: number): boolean;
};

/** Memory for the part of each body between the offsets `from` and `to`. */
class MemoryPool {
  readonly #from: number;
  readonly #to: number;
  readonly #limit: number;
  #used = 0;

  constructor(from: number, to: number, limit: number) {
    this.#from = from;
    this.#to = to;
    this.#limit = limit;
  }

  /** Whether a body may change its length. Always true if it needs no additional memory from this pool. */
  fits(from: number, to: number): boolean {
    const additionalBytes = this.#shareOf(to) - this.#shareOf(from);
    return additionalBytes <= 0 || this.#used + additionalBytes <= this.#limit;
  }

  change(from: number, to: number): void {
    this.#used += this.#shareOf(to) - this.#shareOf(from);
  }

  #shareOf(length: number): number {
    return Math.max(0, Math.min(length, this.#to) - this.#from);
  }
}

export class AdmittedBodies implements MemoryReservation {
  readonly #pools: readonly MemoryPool[];

  constructor(limit: number) {
    this.#pools = [new MemoryPool(FREE_BYTES, BYTES_PER_MEGABYTE, limit), new MemoryPool(BYTES_PER_MEGABYTE, Infinity, limit)];
  }

  resize(_body: MemoryHolder, from: number, to: number): boolean {
    const fits = this.#pools.every((pool) => pool.fits(from, to));
    if (fits) for (const pool of this.#pools) pool.change(from, to);
    return fits;
  }
}

/**
 * Memory for the bodies of unknown senders. When it runs out, the oldest body is dropped, because a legitimate sender's body arrives
 * quickly.
 */
export class UnverifiedBodies implements MemoryReservation {
  readonly #limit: number;
  readonly #bodies = new Map<MemoryHolder, number>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  resize(body: MemoryHolder, _from: number, to: number): boolean {
    const before = this.#bodies.get(body) ?? 0;
    const after = to === 0 ? 0 : Math.max(to, MIN_BYTES);
    this.#used += after - before;
    if (after === 0) this.#bodies.delete(body);
    else this.#bodies.set(body, after);
    for (const [oldest] of this.#bodies) {
      if (this.#used <= this.#limit || oldest === body) break;
      oldest.drop();
    }
    return true;
  }
}
