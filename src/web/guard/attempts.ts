import type { Clock } from "../../clock.ts";
import { addressKey, countFailure, type FailureStore, type Failures, type FoundFailures, networkOf, secondsLeft } from "./backoff.ts";
import type { KnownBrowser } from "./known-browsers.ts";
import type { Role } from "./user.ts";

const FREE_ATTEMPTS = 5;
/** Failures per minute from all addresses together, after which unknown addresses and browsers have to wait. */
export const FAILURES_A_MINUTE = 100;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
export const PLACE_KNOWN_MS = 30 * DAY_MS;
const UNCOUNTED_WAIT_MS = 1000;

export type Client = { address: string; browser: KnownBrowser | undefined };

/** If `isNewPlace`, remember the address. `limitReached` means that the minute allows no more failures. */
export type Outcome =
  | { kind: "signed in"; role: Role; isNewPlace: boolean }
  | { kind: "wait"; seconds: number }
  | { kind: "wrong"; limitReached: boolean };

type Keys = { address: string; all: string; known: string; browser: string };

type Attempt = { keys: Keys; browser: KnownBrowser | undefined; now: number };

type Standing = { seconds: number; exempt: Role | undefined };

/**
 * Limits password guesses per address, per known browser and in total. Compares no password during a wait. Each process handles a client's
 * attempts one after another, so that a burst gains no extra guesses.
 */
export class Attempts {
  readonly #store: FailureStore;
  readonly #clock: Clock;
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Attempts in progress from unknown clients, to which the total limit applies. */
  #unknownClients = 0;
  /** Set if a failure could not be stored. Otherwise guesses would not be limited while the database is read-only. */
  #uncounted: Failures | undefined;

  constructor(store: FailureStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  check(client: Client, verify: () => Role | undefined): Promise<Outcome> {
    const keys = keysOf(client);
    return this.#inTurn(isAdminBrowser(client) ? keys.browser : keys.address, () =>
      this.#check({ keys, browser: client.browser, now: this.#clock.now() }, verify),
    );
  }

  async rememberPlace(address: string): Promise<void> {
    const { known } = keysOf({ address, browser: undefined });
    const until = this.#clock.now() + PLACE_KNOWN_MS;
    await this.#store.change([known], () => ({ store: new Map([[known, { count: 0, until }]]), result: undefined }));
  }

  async #check(attempt: Attempt, verify: () => Role | undefined): Promise<Outcome> {
    const found = await this.#store.find(Object.values(attempt.keys));
    const isUnknown = !isAdminBrowser(attempt) && !isKnown(attempt, found);
    const standing = this.#standingNow(attempt, found, isUnknown);
    if (standing.seconds > 0 && standing.exempt === undefined) return { kind: "wait", seconds: standing.seconds };
    if (isUnknown) this.#unknownClients++;
    try {
      const role = verify();
      if (role === undefined || !mayUse(role, standing)) return await this.#fail(attempt);
      return { kind: "signed in", role, isNewPlace: role === "admin" && shouldRemember(attempt, found) };
    } finally {
      if (isUnknown) this.#unknownClients--;
    }
  }

  /** Includes what only this process knows: attempts in progress and failures that could not be stored. */
  #standingNow(attempt: Attempt, found: FoundFailures, isUnknown: boolean): Standing {
    const { seconds, exempt } = standingOf(attempt, found);
    const isCrowded = isUnknown && failuresInMinute(attempt, found) + this.#unknownClients >= FAILURES_A_MINUTE;
    return { seconds: Math.max(seconds, isCrowded ? 1 : secondsLeft(this.#uncounted, attempt.now)), exempt };
  }

  async #fail(attempt: Attempt): Promise<Outcome> {
    try {
      return await this.#store.change(Object.values(attempt.keys), (found) => failed(attempt, found));
    } catch (error) {
      this.#uncounted = { count: 1, until: this.#clock.now() + UNCOUNTED_WAIT_MS };
      throw error;
    }
  }

  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(work);
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }
}

function failed(attempt: Attempt, found: FoundFailures): { store: FoundFailures; result: Outcome } {
  const { keys, browser, now } = attempt;
  const { seconds, exempt } = standingOf(attempt, found);
  if (seconds > 0 && exempt === undefined) return { store: new Map(), result: { kind: "wait", seconds } };
  const counted = [...(seconds > 0 ? [] : [keys.address]), ...(browser ? [keys.browser] : [])];
  const store = new Map(counted.map((key) => [key, countFailure(found.get(key), now, FREE_ATTEMPTS)]));
  if (seconds > 0) return { store, result: exempt === "admin" ? WRONG : { kind: "wait", seconds } };
  const count = failuresInMinute(attempt, found) + 1;
  store.set(keys.all, { count, until: count === 1 ? now + MINUTE_MS : found.get(keys.all)!.until });
  return { store, result: { kind: "wrong", limitReached: count === FAILURES_A_MINUTE } };
}

const WRONG: Outcome = { kind: "wrong", limitReached: false };

function keysOf({ address, browser }: Client): Keys {
  return { address: addressKey(address), all: "all", known: `known ${networkOf(address)}`, browser: `browser ${browser?.id ?? ""}` };
}

/** Viewers could collect any number of known browsers, so only an administrator's browser is counted on its own. */
function isAdminBrowser({ browser }: Pick<Client, "browser">): boolean {
  return browser?.role === "admin";
}

function standingOf(attempt: Attempt, found: FoundFailures): Standing {
  const { keys, browser, now } = attempt;
  const isLimited = failuresInMinute(attempt, found) >= FAILURES_A_MINUTE && !isKnown(attempt, found);
  const seconds = Math.max(secondsLeft(found.get(keys.address), now), isLimited ? secondsLeft(found.get(keys.all), now) : 0);
  return { seconds, exempt: secondsLeft(found.get(keys.browser), now) === 0 ? browser?.role : undefined };
}

/** During a wait, a viewer's browser may not try administrator passwords. */
function mayUse(role: Role, { seconds, exempt }: Standing): boolean {
  return seconds === 0 || exempt === "admin" || exempt === role;
}

function isKnown({ keys, now }: Attempt, found: FoundFailures): boolean {
  return (found.get(keys.known)?.until ?? 0) > now;
}

function shouldRemember({ keys, now }: Attempt, found: FoundFailures): boolean {
  return (found.get(keys.known)?.until ?? 0) < now + PLACE_KNOWN_MS - DAY_MS;
}

/** This key's `until` is the end of the minute. */
function failuresInMinute({ keys, now }: Attempt, found: FoundFailures): number {
  const all = found.get(keys.all);
  return all && secondsLeft(all, now) > 0 ? all.count : 0;
}
