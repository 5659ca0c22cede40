import type { Clock } from "../clock.ts";

const FREE_TRIES = 5;
const LONGEST_WAIT_MS = 60_000;
const REMEMBERED = 10_000;

/** Makes who gave wrong credentials wait: from the sixth time on, twice as long each time, up to a minute. */
export class Backoff {
  readonly #clock: Clock;
  readonly #failures = new Map<string, { count: number; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds until `key` may try again; 0 when it may now, as when the clock was set back and nobody knows. */
  secondsToWait(key: string): number {
    const left = (this.#failures.get(key)?.until ?? 0) - this.#clock.now();
    return left > LONGEST_WAIT_MS ? 0 : Math.max(0, Math.ceil(left / 1000));
  }

  fail(key: string): void {
    const now = this.#clock.now();
    const known = this.#failures.get(key);
    const count = known && now - known.until < LONGEST_WAIT_MS ? known.count + 1 : 1;
    const wait = count <= FREE_TRIES ? 0 : Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (count - FREE_TRIES - 1));
    this.#failures.delete(key);
    this.#failures.set(key, { count, until: now + wait });
    if (this.#failures.size > REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }
}
