import { timingSafeEqual } from "node:crypto";
import { failureStore } from "../../../access/failures.ts";
import { hashSecret } from "../../../access/secrets.ts";
import { type Clock, stopwatch } from "../../../clock.ts";
import type { Database } from "../../../db/database.ts";
import { type Cache, MemoryCache } from "../../../web/caches.ts";
import { Backoff } from "../../../web/guard/backoff.ts";
import { type Log, SignInLog } from "../../../web/guard/sign-in-log.ts";
import type { Applicant, Authenticate, Authenticated, Credentials } from "./access.ts";
import { SenderAddresses } from "./addresses.ts";
import { findSender, hasSender } from "./store.ts";

export type SenderAccess = {
  authenticate: Authenticate;
  /** Whether a message without credentials in its head is worth reading; not from an address that has to wait. */
  isWorthReading(remote: string | undefined): boolean;
  caches: readonly Cache[];
};

/** Verified credentials are kept this long, as hashes; then a disabled sender is out. */
const KEPT_MS = 5_000;

/** An integrator tries every transport with every kind of credentials; generated secrets of 192 bits are not guessed in so few tries. */
const FREE_ATTEMPTS = 50;

/**
 * Verifies the credentials of messages against the table of senders. Right ones always pass, as one address may send for many
 * hotels. Wrong ones make their address wait. Missing ones do not: many clients send them only when asked.
 */
export function senderAccess(database: Database, wallClock: Clock, log: Log): SenderAccess {
  const start = wallClock.now();
  const elapsed = stopwatch();
  /** Moves forward alone, should the clock of the machine be set: a secret that was replaced is refused in time. */
  const now = () => start + elapsed();
  const backoff = new Backoff(failureStore(database, wallClock, "senders"), wallClock, FREE_ATTEMPTS);
  const signIns = new SignInLog(wallClock);
  const about = `Verified credentials of channel senders, as hashes, for ${KEPT_MS / 1_000} s`;
  const cache = new MemoryCache<Authenticated>({ name: "channel-senders", about, limit: 1_000, lifetime: KEPT_MS });
  const addresses = new SenderAddresses();
  async function authenticate(applicant: Applicant): Promise<Authenticated> {
    const { credentials, remote = "" } = applicant;
    const found = await find(applicant);
    if (found?.state === "sender" && isInBody(credentials)) addresses.noteBodyCredentials(remote, wallClock.now());
    return found ?? { state: "refused", wait: credentials ? await refuse(remote) : 0 };
  }
  const isWorthReading = (remote = "") => addresses.isWorthReading(remote, wallClock.now());
  return { authenticate, isWorthReading, caches: [cache, ...addresses.caches] };

  async function find({ credentials, open, remote = "" }: Applicant): Promise<Authenticated | undefined> {
    const key = credentials ? hashSecret(`${credentials.name ?? ""}\0${credentials.secret}`) : "";
    const known = cache.get(key, now());
    if (known) return known;
    const found = await verify(database, { credentials, open });
    if (found?.state === "sender") admit(found, key, remote);
    return found;
  }

  function admit(found: Authenticated & { state: "sender" }, key: string, remote: string): void {
    cache.set(key, found, now());
    signIns.succeeded({ name: found.name, role: "sender" }, { ip: remote, log });
  }

  /** Returns the seconds to wait; 0 if the failure was counted. */
  async function refuse(remote: string): Promise<number> {
    const wait = await backoff.fail(remote);
    if (wait > 0) addresses.noteWait(remote, wait, wallClock.now());
    else log.warn({ ip: remote, role: "sender" }, "wrong credential");
    return wait;
  }
}

function isInBody(credentials: Credentials | undefined): boolean {
  return credentials !== undefined && credentials.scheme !== "basic" && credentials.scheme !== "bearer";
}

/** Undefined for an unknown sender. */
async function verify(database: Database, { credentials, open }: Omit<Applicant, "remote">): Promise<Authenticated | undefined> {
  if (open && !(await hasSender(database))) return { state: "open" };
  if (!credentials) return undefined;
  const hash = hashSecret(credentials.secret);
  const sender = await findSender(database, credentials.name, hash);
  const expected = Buffer.from(sender?.hash ?? hashSecret(""));
  const same = timingSafeEqual(expected, Buffer.from(hash));
  return sender && same ? { state: "sender", name: sender.name, hotels: sender.hotels } : undefined;
}
