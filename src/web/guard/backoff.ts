import type { Clock } from "../../clock.ts";

const MAX_WAIT_MS = 60_000;

export type FailureCount = { count: number; until: number };

export type FoundFailures = ReadonlyMap<string, FailureCount>;

export type FailureStore = {
  find(keys: readonly string[]): Promise<FoundFailures>;
  /** Reads `keys`, stores the changes that `decide` returns and resolves to its result. `decide` may run more than once. */
  change<T>(keys: readonly string[], decide: (found: FoundFailures) => { store: FoundFailures; result: T }): Promise<T>;
};

/** Returns the remaining seconds of a key's lockout. Returns 0 if the clock was set back, because the remaining time is then unknown. */
export function secondsLeft(failures: FailureCount | undefined, now: number): number {
  const msLeft = (failures?.until ?? 0) - now;
  return msLeft > MAX_WAIT_MS ? 0 : Math.max(0, Math.ceil(msLeft / 1000));
}

/** Counts a failure. After `free` failures, each one doubles the lockout, up to a minute. Counting restarts a minute after the lockout. */
export function countFailure(failures: FailureCount | undefined, now: number, free: number): FailureCount {
  const count = failures && now - failures.until < MAX_WAIT_MS ? failures.count + 1 : 1;
  const wait = count <= free ? 0 : Math.min(MAX_WAIT_MS, 1000 * 2 ** (count - free - 1));
  return { count, until: now + wait };
}

/** Locks out an address after repeated failures. Callers still accept valid credentials, which must be impossible to guess. */
export class SignInBackoff {
  readonly #store: FailureStore;
  readonly #clock: Clock;
  readonly #free: number;

  constructor(store: FailureStore, clock: Clock, free: number) {
    this.#store = store;
    this.#clock = clock;
    this.#free = free;
  }

  /** Counts a failure and returns 0. During a lockout, only returns the remaining seconds. */
  async fail(address: string): Promise<number> {
    const key = addressKey(address);
    const now = this.#clock.now();
    const wait = secondsLeft((await this.#store.find([key])).get(key), now);
    if (wait > 0) return wait;
    return this.#store.change([key], (found) => {
      const failures = found.get(key);
      const result = secondsLeft(failures, now);
      return { store: new Map(result > 0 ? [] : [[key, countFailure(failures, now, this.#free)]]), result };
    });
  }
}

/** Returns the key under which failures are counted. IPv6 clients are counted by /64, because one client usually owns the whole network. */
export function addressKey(address: string): string {
  return `address ${addressNetwork(address)}`;
}

const IPV6_GROUPS = 8;
const PREFIX_GROUPS = 4;
const SITE_GROUPS = 3;

/** Returns the /48 prefix of an IPv6 address, the largest network that a customer usually gets, or undefined for IPv4. */
export function findIpv6Site(address: string): string | undefined {
  const network = addressNetwork(address);
  return network.includes(":") ? network.split(":", SITE_GROUPS).join(":") : undefined;
}

/** Returns the /64 prefix of an IPv6 address, or an IPv4 address without the port that some proxies append. */
export function addressNetwork(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.[\d.]+)(?::\d+)?$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !address.includes(":")) return ipv4 ?? address;
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(Math.max(0, IPV6_GROUPS - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, PREFIX_GROUPS);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
