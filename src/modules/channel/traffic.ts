import { LARGE, MAX_PULLS, MAX_UNPACKED_BYTES, MAX_WAITING, PATIENCE_MS } from "./limits.ts";
import { Lookups } from "./lookups.ts";
import { Strangers } from "./senders/strangers.ts";

/** Until it ends, later messages wait. `end` may be called again. */
export type Turn = { end(): void };

/** The turn of a message that nobody waits for. */
export const NO_TURN: Turn = { end() {} };

/** What messages under way wait for, and what is remembered of earlier ones. */
export class Traffic {
  /** What resolves when the newest message that others wait for is decided: those of its hotel, or all; absent when all of them are. */
  readonly #last = new Map<string | undefined, Promise<void>>();
  /** How many answers are made from stored nights, and the messages that wait until they may be. */
  #pulls = 0;
  readonly #pullsWaiting: (() => void)[] = [];
  /** How many messages are under way for each hotel. */
  readonly #underWay = new Map<string, number>();
  readonly strangers = new Strangers();
  /** The codes of hotels by what messages call them. */
  readonly codes = new Lookups<string | undefined>();
  /** The bytes of the messages that stand aside. */
  #aside = 0;
  /** The newest stamp by sender and hotel since the start; see `senders/stamps.ts`. */
  readonly stamps = new Map<string, number>();

  /**
   * Waits until a message of that many bytes may be read. Large ones are read one after the other, so only one is held in pieces.
   * Later small ones wait for them, as messages are decided in the order they came. Nobody waits for a small one.
   */
  takeTurn(bytes: number): Promise<Turn> {
    return this.#takeTurn(undefined, bytes >= LARGE);
  }

  /** Waits until a message of the hotel may be decided; later ones wait for those that are decided in pieces. */
  takeTurnOf(hotel: string, isLong: boolean): Promise<Turn> {
    return this.#takeTurn(hotel, isLong);
  }

  /**
   * Waits for the hotel of a message of that many bytes, which has taken its turns, or for its place among the pulls. Others must not wait
   * for the process that holds up this hotel alone, nor for pulls, so that after a while the turn ends, unless too much that was read stands
   * aside already. Without a turn it takes as many steps: two messages that go on at the same moment keep their order.
   */
  async standAside<T>(turn: Turn, bytes: number, waiting: Promise<T>): Promise<T> {
    let aside = 0;
    const stepAside = () => {
      if (this.#aside + bytes > MAX_UNPACKED_BYTES) return;
      aside = bytes;
      this.#aside += aside;
      turn.end();
    };
    const timer = turn === NO_TURN ? undefined : setTimeout(stepAside, PATIENCE_MS);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
      this.#aside -= aside;
    }
  }

  /** Waits until an answer may be made from the nights of a hotel. A short message can ask for a long one, so that few are made at a time. */
  async takePull(): Promise<Turn> {
    if (this.#pulls < MAX_PULLS) this.#pulls++;
    else await new Promise<void>((resolve) => this.#pullsWaiting.push(resolve));
    return { end: () => this.#endPull() };
  }

  /** Who waits takes the place over. */
  #endPull(): void {
    const next = this.#pullsWaiting.shift();
    if (next) next();
    else this.#pulls--;
  }

  async #takeTurn(hotel: string | undefined, isWaitedFor: boolean): Promise<Turn> {
    const before = this.#last.get(hotel);
    if (!isWaitedFor) {
      if (before) await before;
      return NO_TURN;
    }
    const { promise, resolve: end } = Promise.withResolvers<void>();
    this.#last.set(hotel, promise);
    void promise.then(() => {
      if (this.#last.get(hotel) === promise) this.#last.delete(hotel);
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
