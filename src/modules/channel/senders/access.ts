import { timingSafeEqual } from "node:crypto";
import { failureStore } from "../../../access/failures.ts";
import { hashSecret } from "../../../access/secrets.ts";
import { DAY_MS } from "../../../calendar/night.ts";
import { type Clock, stopwatch } from "../../../clock.ts";
import type { Database } from "../../../db/database.ts";
import { type Cache, MemoryCache } from "../../../web/caches.ts";
import { Backoff, networkOf } from "../../../web/guard/backoff.ts";
import { type Log, SignInLog } from "../../../web/guard/sign-in-log.ts";
import { readAuthorization } from "../../../web/guard/user.ts";
import { type Profile, STANDARD } from "../profiles/profile.ts";
import { findSender, hasSender, senderState } from "./store.ts";

export type Credentials = {
  scheme: "basic" | "bearer" | "wsse" | "wsse digest" | "requestor";
  name: string | undefined;
  secret: string;
};

/**
 * The sender of a message. `open` needs no credentials, but may have a name. Without `hotels` a sender has access to all properties. `wait`
 * is in seconds, after too many wrong credentials. `reason` is for the log only; the sender always gets the same answer.
 */
export type Authenticated =
  | { state: "open"; name?: string; hotels?: readonly string[]; profile?: Profile }
  | { state: "sender"; name: string; hotels: readonly string[] | undefined; profile: Profile }
  | { state: "refused"; wait: number; reason?: string };

/** A sender before the check; `open`: no credentials are needed while the service has no senders. */
export type Applicant = { credentials: Credentials | undefined; open: boolean; remote: string | undefined };

export function scopeOf(who: Authenticated): readonly string[] | undefined {
  return who.state === "refused" ? undefined : who.hotels;
}

/** Returns the property of a sender that has access to a single one, and so need not name it. */
export function onlyHotelOf(who: Authenticated): string | undefined {
  const scope = scopeOf(who);
  return scope?.length === 1 ? scope[0] : undefined;
}

export function profileOf(who: Authenticated): Profile {
  return who.state === "refused" ? STANDARD : (who.profile ?? STANDARD);
}

export function mayTouch(who: Authenticated, hotel: string): boolean {
  return scopeOf(who)?.includes(hotel) ?? true;
}

/** Clients of Channex send the secret alone, in a header of their own. */
export function credentialsIn(headers: Readonly<Record<string, string | undefined>>): Credentials | undefined {
  const key = headers["user-api-key"]?.trim();
  return readAuthorization(headers.authorization) ?? (key ? { scheme: "bearer", name: undefined, secret: key } : undefined);
}

export type SenderAccess = {
  authenticate(applicant: Applicant): Promise<Authenticated>;
  /**
   * Whether a message without credentials in its headers is worth reading. Not while its address has to wait, unless an earlier message
   * from there had valid credentials in its body: several senders may share an address.
   */
  isWorthReading(remote: string | undefined): boolean;
  caches: readonly Cache[];
};

/** How long verified credentials are cached, as hashes; a disabled sender has access until then. */
const CACHE_MS = 5_000;

/** Integrators try every transport with every kind of credentials. Generated secrets of 192 bits are not guessed in so few attempts. */
const FREE_ATTEMPTS = 50;

const MAX_WAIT_MS = 60_000;

/**
 * Verifies credentials. Valid ones always pass, since one address may send for many properties. Wrong ones make their address wait. Missing
 * ones don't, because many clients send credentials only when challenged.
 */
export function senderAccess(database: Database, wallClock: Clock, log: Log): SenderAccess {
  const start = wallClock.now();
  const elapsed = stopwatch();
  /** Never goes back, even if the machine's clock is set back: a replaced secret must expire in time. */
  const now = () => start + elapsed();
  const backoff = new Backoff(failureStore(database, wallClock, "senders"), wallClock, FREE_ATTEMPTS);
  const signIns = new SignInLog(wallClock);
  const { verified, waiting, proven } = senderCaches();
  return {
    async authenticate(applicant) {
      const { credentials, remote = "" } = applicant;
      const found = await find(applicant);
      if (found?.state === "sender" && isInBody(credentials)) proven.set(networkOf(remote), true, wallClock.now());
      if (found) return found;
      if (!credentials) return { state: "refused", wait: 0, reason: "no credentials" };
      const wait = await refuse(remote);
      return { state: "refused", wait, reason: wait > 0 ? "too many wrong credentials" : await explainRefusal(database, credentials) };
    },
    isWorthReading(remote = "") {
      const network = networkOf(remote);
      const at = wallClock.now();
      return (waiting.get(network, at) ?? 0) <= at || proven.get(network, at) === true;
    },
    caches: [verified, waiting, proven],
  };

  async function find({ credentials, open, remote = "" }: Applicant): Promise<Authenticated | undefined> {
    const key = credentials ? hashSecret(`${credentials.name ?? ""}\0${credentials.secret}`) : "";
    const known = verified.get(key, now());
    if (known) return known;
    const found = await verify(database, { credentials, open });
    if (found?.state !== "sender") return found;
    verified.set(key, found, now());
    signIns.succeeded({ name: found.name, role: "sender" }, { ip: remote, log });
    return found;
  }

  /** Returns the seconds to wait; 0 if the failure was counted. */
  async function refuse(remote: string): Promise<number> {
    const wait = await backoff.fail(remote);
    const at = wallClock.now();
    if (wait > 0) waiting.set(networkOf(remote), at + 1000 * wait, at);
    else log.warn({ ip: remote, role: "sender" }, "wrong credential");
    return wait;
  }
}

function senderCaches() {
  return {
    verified: new MemoryCache<Authenticated>({
      name: "channel-senders",
      about: `Hashes of verified sender credentials`,
      limit: 1_000,
      lifetime: CACHE_MS,
    }),
    waiting: new MemoryCache<number>({
      name: "channel-waiting",
      about: "Addresses that have to wait because they sent too many invalid credentials",
      limit: 10_000,
      lifetime: MAX_WAIT_MS,
    }),
    proven: new MemoryCache<true>({
      name: "channel-body-credentials",
      about: "Addresses that recently sent valid credentials in a message body",
      limit: 1_000,
      lifetime: DAY_MS,
    }),
  };
}

function isInBody(credentials: Credentials | undefined): boolean {
  return credentials !== undefined && credentials.scheme !== "basic" && credentials.scheme !== "bearer";
}

async function explainRefusal(database: Database, { name }: Credentials): Promise<string> {
  if (name === undefined) return "unknown token";
  const state = await senderState(database, name);
  if (state === "unknown") return "unknown sender";
  return state === "enabled" ? "wrong secret" : "the sender is disabled";
}

async function verify(database: Database, { credentials, open }: Omit<Applicant, "remote">): Promise<Authenticated | undefined> {
  if (open && !(await hasSender(database))) return { state: "open" };
  if (!credentials) return undefined;
  const hash = hashSecret(credentials.secret);
  const sender = await findSender(database, credentials.name, hash);
  const expected = Buffer.from(sender?.hash ?? hashSecret(""));
  const same = timingSafeEqual(expected, Buffer.from(hash));
  return sender && same ? { state: "sender", name: sender.name, hotels: sender.hotels, profile: sender.profile } : undefined;
}
