import type { Clock } from "../../clock.ts";
import {
  addressKey,
  countFailure,
  type FailureStore,
  type FailureCount,
  type FoundFailures,
  addressNetwork,
  secondsLeft,
  findIpv6Site,
} from "./backoff.ts";
import type { KnownBrowser } from "./known-browsers.ts";
import type { User } from "./user.ts";

const FREE_ATTEMPTS = 5;
/** Maximum total of failures per minute across all addresses. Above it, unknown addresses and browsers get one attempt a minute each. */
export const MAX_FAILURES_PER_MINUTE = 100;
/**
 * Maximum failures per minute from an IPv6 site (/48) once the total limit is reached, because one client may own all of its 65,536
 * networks.
 */
const MAX_SITE_FAILURES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
export const ADDRESS_KNOWN_MS = 30 * DAY_MS;
const UNCOUNTED_WAIT_MS = 1000;

/** If many passwords have to be checked, `known` clients have priority. */
export type Priority = "known" | "unknown";

type VerifyUser = (priority: Priority) => Promise<User | undefined>;

export type SignInClient = { address: string; browser: KnownBrowser | undefined };

/** `isNewAddress` means that the address should be remembered. `limitReached` means that no more failures are allowed in this minute. */
export type AttemptOutcome =
  | { kind: "signed in"; user: User; isNewAddress: boolean }
  | { kind: "wait"; seconds: number }
  | { kind: "wrong"; limitReached: boolean };

type FailureKeys = { address: string; site: string; all: string; known: string; browser: string };

type SignInAttempt = { keys: FailureKeys; browser: KnownBrowser | undefined; now: number };

type LockoutState = { seconds: number; exempt: KnownBrowser | undefined };

/**
 * Limits password guesses per address, per known browser and across all addresses. During a lockout, passwords are not compared. Within a
 * process, a client's attempts run one at a time, so that a burst gains no extra guesses. An address without failures in the last minute
 * always gets an attempt, so that one client can't lock out all others.
 */
export class SignInAttempts {
  readonly #store: FailureStore;
  readonly #clock: Clock;
  readonly #turns = new Map<string, Promise<unknown>>();
  /** A lockout after a failure that could not be stored. Without it, guesses would be free until failures can be stored again. */
  #uncounted: FailureCount | undefined;

  constructor(store: FailureStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  check(client: SignInClient, verify: VerifyUser): Promise<AttemptOutcome> {
    const keys = attemptKeys(client);
    return this.#inTurn(isAdminBrowser(client) ? keys.browser : keys.site, () =>
      this.#check({ keys, browser: client.browser, now: this.#clock.now() }, verify),
    );
  }

  async rememberAddress(address: string): Promise<void> {
    const { known } = attemptKeys({ address, browser: undefined });
    const until = this.#clock.now() + ADDRESS_KNOWN_MS;
    await this.#store.change([known], () => ({ store: new Map([[known, { count: 0, until }]]), result: undefined }));
  }

  async #check(attempt: SignInAttempt, verify: VerifyUser): Promise<AttemptOutcome> {
    const storedFailures = await this.#store.find(Object.values(attempt.keys));
    const storedState = lockoutState(attempt, storedFailures);
    const currentState = { ...storedState, seconds: Math.max(storedState.seconds, secondsLeft(this.#uncounted, attempt.now)) };
    if (currentState.seconds > 0 && currentState.exempt === undefined) return { kind: "wait", seconds: currentState.seconds };
    const user = await verify(currentState.exempt || isKnownClient(attempt, storedFailures) ? "known" : "unknown");
    if (user === undefined || !maySucceed(user, currentState)) return this.#fail(attempt);
    return { kind: "signed in", user, isNewAddress: user.role === "admin" && shouldRemember(attempt, storedFailures) };
  }

  async #fail(attempt: SignInAttempt): Promise<AttemptOutcome> {
    try {
      return await this.#store.change(Object.values(attempt.keys), (found) => recordFailure(attempt, found));
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

function recordFailure(attempt: SignInAttempt, found: FoundFailures): { store: FoundFailures; result: AttemptOutcome } {
  const { keys, browser, now } = attempt;
  const { seconds, exempt } = lockoutState(attempt, found);
  if (seconds > 0 && exempt === undefined) return { store: new Map(), result: { kind: "wait", seconds } };
  const countedKeys = [...(seconds > 0 ? [] : [keys.address]), ...(browser ? [keys.browser] : [])];
  const store = new Map(countedKeys.map((key) => [key, countFailure(found.get(key), now, FREE_ATTEMPTS)]));
  if (seconds > 0) return { store, result: exempt?.role === "admin" ? WRONG_OUTCOME : { kind: "wait", seconds } };
  const all = countInMinute(found.get(keys.all), now);
  store.set(keys.all, all);
  if (keys.site !== keys.address) store.set(keys.site, countInMinute(found.get(keys.site), now));
  return { store, result: { kind: "wrong", limitReached: all.count === MAX_FAILURES_PER_MINUTE } };
}

const WRONG_OUTCOME: AttemptOutcome = { kind: "wrong", limitReached: false };

function attemptKeys({ address, browser }: SignInClient): FailureKeys {
  const site = findIpv6Site(address);
  const own = addressKey(address);
  return {
    address: own,
    site: site === undefined ? own : `site ${site}`,
    all: "all",
    known: `known ${addressNetwork(address)}`,
    browser: `browser ${browser?.id ?? ""}`,
  };
}

/**
 * Returns whether the browser has its own count of failures. Only an administrator's browser has one, because viewers could collect any
 * number of known browsers.
 */
function isAdminBrowser({ browser }: Pick<SignInClient, "browser">): boolean {
  return browser?.role === "admin";
}

function lockoutState(attempt: SignInAttempt, found: FoundFailures): LockoutState {
  const { keys, browser, now } = attempt;
  const hasTooManyFailures = failuresInMinute(found.get(keys.all), now) >= MAX_FAILURES_PER_MINUTE && !isKnownClient(attempt, found);
  const seconds = Math.max(secondsLeft(found.get(keys.address), now), hasTooManyFailures ? secondsUntilAllowed(attempt, found) : 0);
  return { seconds, exempt: secondsLeft(found.get(keys.browser), now) === 0 ? browser : undefined };
}

/**
 * Returns the seconds until the address's last failure is a minute old, or longer if its IPv6 site has too many failures. Ignores failures
 * from the future, because the clock was set back.
 */
function secondsUntilAllowed({ keys, now }: SignInAttempt, found: FoundFailures): number {
  const msLeft = (found.get(keys.address)?.until ?? 0) + MINUTE_MS - now;
  const seconds = msLeft > 2 * MINUTE_MS ? 0 : Math.max(0, Math.ceil(msLeft / 1000));
  const site = keys.site === keys.address ? undefined : found.get(keys.site);
  return failuresInMinute(site, now) < MAX_SITE_FAILURES_PER_MINUTE ? seconds : Math.max(seconds, secondsLeft(site, now));
}

/**
 * Returns whether a correct password may sign the user in. During a lockout, this is possible only from the user's own known browser or an
 * administrator's.
 */
function maySucceed({ name }: User, { seconds, exempt }: LockoutState): boolean {
  return seconds === 0 || exempt?.role === "admin" || exempt?.name === name;
}

function isKnownClient({ keys, now }: SignInAttempt, found: FoundFailures): boolean {
  return (found.get(keys.known)?.until ?? 0) > now;
}

function shouldRemember({ keys, now }: SignInAttempt, found: FoundFailures): boolean {
  return (found.get(keys.known)?.until ?? 0) < now + ADDRESS_KNOWN_MS - DAY_MS;
}

/** Returns the number of failures in the current minute, which ends at `until`. */
function failuresInMinute(failures: FailureCount | undefined, now: number): number {
  return failures && secondsLeft(failures, now) > 0 ? failures.count : 0;
}

function countInMinute(failures: FailureCount | undefined, now: number): FailureCount {
  const count = failuresInMinute(failures, now) + 1;
  return { count, until: count === 1 ? now + MINUTE_MS : failures!.until };
}
