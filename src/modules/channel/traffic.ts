import { LARGE, MAX_WAITING } from "./limits.ts";

/** Until it ends, no later message is read. `end` may be called again. */
export type Turn = { end(): void };

/** The turn of a small message. */
export const NO_TURN: Turn = { end() {} };

/** What messages under way wait for, and what is remembered of earlier ones. */
export class Traffic {
  /** Resolves when the newest large message is decided; undefined when all of them are. */
  #last: Promise<void> | undefined;
  /** How many messages are under way for each hotel. */
  readonly #underWay = new Map<string, number>();
  /** The newest stamp by sender and hotel since the start; see `senders/stamps.ts`. */
  readonly stamps = new Map<string, number>();

  /**
   * Waits until a message of that many bytes may be read. Large ones are read one after the other, so only one is held in pieces.
   * Later small ones wait for them, as messages are decided in the order they came. Nobody waits for a small one.
   */
  async takeTurn(bytes: number): Promise<Turn> {
    const before = this.#last;
    if (bytes < LARGE) {
      if (before) await before;
      return NO_TURN;
    }
    const { promise, resolve: end } = Promise.withResolvers<void>();
    this.#last = promise;
    void promise.then(() => {
      if (this.#last === promise) this.#last = undefined;
    });
    await before;
    return { end };
  }

  /** Counts a message of a hotel in and answers the function that counts it out; `undefined` when too many already wait. */
  joinQueue(hotel: string): (() => void) | undefined {
    const length = this.#underWay.get(hotel) ?? 0;
    if (length > MAX_WAITING) return undefined;
    this.#underWay.set(hotel, length + 1);
    return () => this.#leave(hotel);
  }

  #leave(hotel: string): void {
    const left = this.#underWay.get(hotel)! - 1;
    if (left === 0) this.#underWay.delete(hotel);
    else this.#underWay.set(hotel, left);
  }
}
