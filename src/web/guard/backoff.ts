import type { Clock } from "../../clock.ts";

/** For passwords that people choose. */
const FREE_TRIES = 5;
const LONGEST_WAIT_MS = 60_000;
const REMEMBERED = 10_000;

/**
 * Makes an address that gave wrong credentials wait: from the sixth time on, unless more are free, twice as long each time, up to a
 * minute. The owner of an IPv6 address has its whole /64 network, so a network counts as one address.
 */
export class Backoff {
  readonly #clock: Clock;
  readonly #freeTries: number;
  readonly #failures = new Map<string, { count: number; until: number }>();

  constructor(clock: Clock, freeTries = FREE_TRIES) {
    this.#clock = clock;
    this.#freeTries = freeTries;
  }

  /** Seconds until `address` may try again; 0 when it may now, and when the clock was set back, as nobody knows then. */
  secondsToWait(address: string): number {
    if (this.#failures.size === 0) return 0;
    const left = (this.#failures.get(networkOf(address))?.until ?? 0) - this.#clock.now();
    return left > LONGEST_WAIT_MS ? 0 : Math.max(0, Math.ceil(left / 1000));
  }

  fail(address: string): void {
    const key = networkOf(address);
    const now = this.#clock.now();
    const known = this.#failures.get(key);
    const count = known && now - known.until < LONGEST_WAIT_MS ? known.count + 1 : 1;
    const wait = count <= this.#freeTries ? 0 : Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (count - this.#freeTries - 1));
    this.#failures.delete(key);
    this.#failures.set(key, { count, until: now + wait });
    if (this.#failures.size > REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }
}

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/** The first half of an IPv6 address; an IPv4 address without the port that some proxies add; else unchanged. */
export function networkOf(address: string): string {
  const four = /^(?:::ffff:)?(\d+\.[\d.]+)(?::\d+)?$/i.exec(address)?.[1];
  if (four !== undefined || !address.includes(":")) return four ?? address;
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const noughts = Array<string>(Math.max(0, GROUPS - left.length - right.length)).fill("0");
  const groups = [...left, ...noughts, ...right].slice(0, GROUPS_OF_NETWORK);
  return groups.map((group) => Number.parseInt(group, 16)).join(":");
}
