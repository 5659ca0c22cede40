import { failureStore } from "../../../access/failures.ts";
import { hashSecret } from "../../../access/secrets.ts";
import { DAY_MS } from "../../../calendar/night.ts";
import { type Clock, stopwatch } from "../../../clock.ts";
import type { Database } from "../../../db/database.ts";
import { type RegisteredCache, MemoryCache } from "../../../web/caches.ts";
import { SignInBackoff, addressNetwork } from "../../../web/guard/backoff.ts";
import type { SignInEvents } from "../../../web/guard/sign-in-events.ts";
import { type Log, SignInLog } from "../../../web/guard/sign-in-log.ts";
import { profileFrom } from "../profiles/presets.ts";
import { type Profile, DEFAULT_PROFILE } from "../profiles/profile.ts";
import { checkCredentials } from "./check.ts";
import { findPropertyCodes, type PropertyCodes } from "./code-store.ts";
import type { Credentials } from "./credentials.ts";
import { senderRevision } from "./revision.ts";
import { findSender, hasSender, isUseRecorded, recordUse } from "./store.ts";

/**
 * The sender of a message. An `open` sender needs no credentials, but may have a name. Without `hotels`, the sender can access all
 * properties; without `codes`, it uses our codes. `wait` is the remaining lockout in seconds. `reason` is only logged; the sender always
 * gets the same response.
 */
export type AuthenticatedClient =
  | { state: "open"; name?: string; hotels?: readonly string[]; profile?: Profile; codes?: PropertyCodes | undefined }
  | { state: "sender"; name: string; hotels: readonly string[] | undefined; profile: Profile; codes?: PropertyCodes | undefined }
  | { state: "refused"; wait: number; reason?: string };

export type SenderIdentity = Extract<AuthenticatedClient, { state: "sender" }>;

/** A client that has not been checked. `open` means that no credentials are needed as long as there are no senders. */
export type UnverifiedClient = { credentials: Credentials | undefined; open: boolean; remote: string | undefined };

export function accessibleHotels(who: AuthenticatedClient): readonly string[] | undefined {
  return who.state === "refused" ? undefined : who.hotels;
}

/** Returns the property code if the sender can access only one property. Its messages don't need to name the property. */
export function onlyHotel(who: AuthenticatedClient): string | undefined {
  const scope = accessibleHotels(who);
  return scope?.length === 1 ? scope[0] : undefined;
}

export function senderProfile(who: AuthenticatedClient): Profile {
  return who.state === "refused" ? DEFAULT_PROFILE : (who.profile ?? DEFAULT_PROFILE);
}

/** Maps the sender's code for a property to ours. Returns `undefined` if the sender has no access to the property. */
export function findHotelCode(who: AuthenticatedClient, code: string): string | undefined {
  const hotel = (who.state === "refused" ? undefined : who.codes?.properties.get(code)) ?? code;
  return (accessibleHotels(who)?.includes(hotel) ?? true) ? hotel : undefined;
}

/** Returns the sender's identity without a sign-in, for messages that a user replays. Returns `undefined` if the sender doesn't exist. */
export async function findIdentity(database: Database, name: string): Promise<SenderIdentity | undefined> {
  const sender = await findSender(database, name);
  if (!sender) return undefined;
  const codes = await findPropertyCodes(database, name);
  return { state: "sender", name, hotels: sender.hotels, profile: profileFrom(sender.profile), codes };
}

export type SenderAccess = {
  authenticate(client: UnverifiedClient): Promise<AuthenticatedClient>;
  /**
   * Whether to read a message that has no credentials in its headers. Returns false while the address is locked out. An exception is an
   * address that has already sent valid credentials in a body, because several senders may share it.
   */
  mayReadBody(remote: string | undefined): boolean;
  caches: readonly RegisteredCache[];
};

/** How long verified credentials are cached, as hashes. Other processes may notice changes to a sender only after this time. */
const CACHE_LIFETIME_MS = 5_000;

/** High, because integrators try every transport with every kind of credentials. This is safe, because secrets have 192 random bits. */
const FREE_ATTEMPTS = 50;

const MAX_WAIT_MS = 60_000;

/** Maximum difference between a digest's time and the server's. */
const MAX_DIGEST_AGE_MINUTES = 5;

type SenderAccessOptions = { database: Database; clock: Clock; digestMinutes?: number; events?: SignInEvents };

type ClientVerification = { who: AuthenticatedClient; until: number; revision: number };

/**
 * Verifies credentials. Valid credentials always pass, because one address may send for many properties. Repeated invalid credentials lock
 * out the address. Missing credentials don't, because many clients send them only when challenged.
 */
export function senderAccess(needs: SenderAccessOptions, log: Log): SenderAccess {
  const { database, clock, events } = needs;
  const backoff = new SignInBackoff(failureStore(database, clock, "senders"), clock, FREE_ATTEMPTS);
  const { verified, waiting, proven } = senderCaches();
  const verify = createVerifier(needs, log, verified);
  return {
    async authenticate({ credentials, open, remote = "" }) {
      if (open && !(await hasSender(database))) return { state: "open" };
      if (!credentials) return { state: "refused", wait: 0, reason: "no credentials" };
      const verification = await verify(credentials, remote);
      if (!("reason" in verification)) {
        if (isInBody(credentials)) proven.set(addressNetwork(remote), true, clock.now());
        return verification.who;
      }
      const wait = await recordRefusal(remote, credentials);
      return { state: "refused", wait, reason: wait > 0 ? "too many wrong credentials" : verification.reason };
    },
    mayReadBody(remote = "") {
      const network = addressNetwork(remote);
      const at = clock.now();
      return (waiting.get(network, at) ?? 0) <= at || proven.get(network, at) === true;
    },
    caches: [verified, waiting, proven],
  };

  /** Returns the remaining seconds of a lockout. If there is none, counts the failure and returns 0. */
  async function recordRefusal(remote: string, { name }: Credentials): Promise<number> {
    const wait = await backoff.fail(remote);
    await events?.record({ action: wait > 0 ? "locked out" : "refused sign-in", kind: "sender", name }, { address: remote });
    const at = clock.now();
    if (wait > 0) waiting.set(addressNetwork(remote), at + 1000 * wait, at);
    else log.warn({ ip: remote, role: "sender" }, "wrong credential");
    return wait;
  }
}

type VerifyCredentials = (credentials: Credentials, remote: string) => Promise<Pick<ClientVerification, "who"> | { reason: string }>;

function createVerifier(
  { database, clock, events, digestMinutes = MAX_DIGEST_AGE_MINUTES }: SenderAccessOptions,
  log: Log,
  verified: MemoryCache<ClientVerification>,
): VerifyCredentials {
  const start = clock.now();
  const elapsed = stopwatch();
  /** Never goes back, even if the system clock does. Otherwise changes by other processes would be noticed too late. */
  const now = () => start + elapsed();
  const signIns = new SignInLog(clock);
  return async (credentials, remote) => {
    const revision = senderRevision();
    const key = hashSecret(`${credentials.name ?? ""}\0${credentials.secret}`);
    const cachedVerification = credentials.digest ? undefined : verified.get(key, now());
    if (cachedVerification?.revision === revision && clock.now() < cachedVerification.until) return cachedVerification;
    const checkResult = await checkCredentials(database, credentials, { now: clock.now(), digestMs: digestMinutes * 60_000 });
    if ("reason" in checkResult) return checkResult;
    const { sender, until } = checkResult;
    const { name, hotels, profile, usedAt } = sender;
    const who: AuthenticatedClient = { state: "sender", name, hotels, profile, codes: await findPropertyCodes(database, name) };
    if (!credentials.digest) verified.set(key, { who, until, revision }, now());
    signIns.succeeded({ name, role: "sender" }, { ip: remote, log });
    await events?.record({ action: "sign in", user: { name, kind: "sender" }, onceIn: DAY_MS }, { address: remote });
    const at = clock.now();
    if (!isUseRecorded(usedAt, at)) void recordUse(database, { name, at });
    return { who };
  };
}

function senderCaches() {
  return {
    verified: new MemoryCache<ClientVerification>({
      name: "channel-senders",
      about: `Hashes of verified sender credentials, kept for ${CACHE_LIFETIME_MS / 1_000} s`,
      limit: 1_000,
      lifetime: CACHE_LIFETIME_MS,
    }),
    waiting: new MemoryCache<number>({
      name: "channel-waiting",
      about: "Addresses that are locked out after too many wrong credentials",
      limit: 10_000,
      lifetime: MAX_WAIT_MS,
    }),
    proven: new MemoryCache<true>({
      name: "channel-body-credentials",
      about: "Addresses that sent valid credentials in a message body, kept for a day",
      limit: 1_000,
      lifetime: DAY_MS,
    }),
  };
}

function isInBody({ scheme }: Credentials): boolean {
  return scheme === "wsse" || scheme === "wsse digest" || scheme === "requestor";
}
