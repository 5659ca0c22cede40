import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "../../access/secrets.ts";
import { stopwatch } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { type Cache, MemoryCache } from "../../web/caches.ts";
import type { Authenticate, Authenticated, Credentials } from "./access.ts";
import { findSender, hasSender } from "./store.ts";

export type SenderAccess = { authenticate: Authenticate; cache: Cache };

/** Verified credentials are kept for some seconds, as hashes; a sender that is disabled is out after that. */
const KEPT_MS = 5_000;

/** Verifies the credentials of messages against the table of senders. */
export function senderAccess(database: Database): SenderAccess {
  const clock = stopwatch();
  const about = `verified credentials of channel senders, as hashes, for ${KEPT_MS / 1_000} s`;
  const cache = new MemoryCache<Authenticated>({ name: "channel-senders", about, limit: 1_000, lifetime: KEPT_MS });
  async function lookUp(credentials: Credentials | undefined, open: boolean): Promise<Authenticated> {
    const key = credentials ? hashSecret(`${credentials.name ?? ""}\0${credentials.secret}`) : "";
    const known = cache.get(key, clock());
    if (known) return known;
    const found = await verify(database, credentials, open);
    if (found.state === "sender") cache.set(key, found, clock());
    return found;
  }
  return { authenticate: lookUp, cache };
}

async function verify(database: Database, credentials: Credentials | undefined, open: boolean): Promise<Authenticated> {
  if (open && !(await hasSender(database))) return { state: "open" };
  if (!credentials) return { state: "refused" };
  const hash = hashSecret(credentials.secret);
  const sender = await findSender(database, credentials.name, hash);
  const expected = Buffer.from(sender?.hash ?? hashSecret(""));
  const same = timingSafeEqual(expected, Buffer.from(hash));
  return sender && same ? { state: "sender", name: sender.name, hotels: sender.hotels } : { state: "refused" };
}
