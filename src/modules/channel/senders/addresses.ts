import { DAY_MS } from "../../../calendar/night.ts";
import { type Cache, MemoryCache } from "../../../web/caches.ts";
import { networkOf } from "../../../web/guard/backoff.ts";

const LONGEST_WAIT_MS = 60_000;

/** Remembers which addresses have to wait, and which ones sent valid credentials in the body of a message. */
export class SenderAddresses {
  /** When each wait ends. */
  readonly #waiting = new MemoryCache<number>({
    name: "channel-waiting",
    about: "Addresses that sent wrong credentials too often and have to wait",
    limit: 10_000,
    lifetime: LONGEST_WAIT_MS,
  });
  readonly #proven = new MemoryCache<true>({
    name: "channel-body-credentials",
    about: "Addresses from which a message had valid credentials in its body, for a day",
    limit: 1_000,
    lifetime: DAY_MS,
  });

  get caches(): readonly Cache[] {
    return [this.#waiting, this.#proven];
  }

  noteWait(address: string, seconds: number, now: number): void {
    this.#waiting.set(networkOf(address), now + 1000 * seconds, now);
  }

  noteBodyCredentials(address: string, now: number): void {
    this.#proven.set(networkOf(address), true, now);
  }

  /**
   * Whether a message without credentials in its head is worth reading. Not while its address has to wait, unless an earlier message from there
   * had valid credentials in its body: several senders may share an address.
   */
  isWorthReading(address: string, now: number): boolean {
    const network = networkOf(address);
    return (this.#waiting.get(network, now) ?? 0) <= now || this.#proven.get(network, now) === true;
  }
}
