/** This much of each body of a known sender is always read. */
const FREE_BYTES = 64 * 1024;
const MEGABYTE = 1024 * 1024;
/** A body counts at least this much, for its connection. */
const LEAST_BYTES = 4 * 1024;

/** A body that holds memory. `giveUp` takes it away. */
type Holder = { giveUp(): void };

/** Memory that bodies share. */
export type Reserve = {
  /** Whether a body may grow to `length`. */
  resize(body: Holder, from: number, to: number): boolean;
};

/** The room for what lies between two lengths of every body. */
class Room {
  readonly #from: number;
  readonly #to: number;
  readonly #limit: number;
  #used = 0;

  constructor(from: number, to: number, limit: number) {
    this.#from = from;
    this.#to = to;
    this.#limit = limit;
  }

  /** Whether a body may grow. A body that needs nothing of this room always may. */
  fits(from: number, to: number): boolean {
    const more = this.#shareOf(to) - this.#shareOf(from);
    return more <= 0 || this.#used + more <= this.#limit;
  }

  change(from: number, to: number): void {
    this.#used += this.#shareOf(to) - this.#shareOf(from);
  }

  #shareOf(length: number): number {
    return Math.max(0, Math.min(length, this.#to) - this.#from);
  }
}

/** The bodies of known senders. */
export class UnderWay implements Reserve {
  readonly #rooms: readonly Room[];

  constructor(limit: number) {
    this.#rooms = [new Room(FREE_BYTES, MEGABYTE, limit), new Room(MEGABYTE, Infinity, limit)];
  }

  resize(_body: Holder, from: number, to: number): boolean {
    const fits = this.#rooms.every((room) => room.fits(from, to));
    if (fits) for (const room of this.#rooms) room.change(from, to);
    return fits;
  }
}

/** The bodies of unknown senders. If they need too much, the oldest is given up: a real sender's body arrives within moments. */
export class Beginnings implements Reserve {
  readonly #limit: number;
  readonly #bodies = new Map<Holder, number>();
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  resize(body: Holder, _from: number, to: number): boolean {
    const before = this.#bodies.get(body) ?? 0;
    const after = to === 0 ? 0 : Math.max(to, LEAST_BYTES);
    this.#used += after - before;
    if (after === 0) this.#bodies.delete(body);
    else this.#bodies.set(body, after);
    for (const [oldest] of this.#bodies) {
      if (this.#used <= this.#limit || oldest === body) break;
      oldest.giveUp();
    }
    return true;
  }
}
