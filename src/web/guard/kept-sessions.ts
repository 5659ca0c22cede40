import type { Clock } from "../../clock.ts";
import { MemoryCache } from "../caches.ts";
import type { SessionStore } from "./session.ts";

const SESSIONS_KEPT = 1_000;
const LIFETIME_MS = 60_000;

type Found = NonNullable<Awaited<ReturnType<SessionStore["find"]>>>;

export type KeptSessionsOptions = { store: SessionStore; clock: Clock; version(): Promise<string> };

/** Sessions as last read. Each is read again after any process has written to the database. */
export function keepSessions({ store, clock, version }: KeptSessionsOptions) {
  const about = "Sessions of visitors, until anything is written or a minute has passed";
  const cache = new MemoryCache<{ version: string; found: Found }>({
    name: "sessions",
    about,
    limit: SESSIONS_KEPT,
    lifetime: LIFETIME_MS,
  });
  return { cache, store: { ...store, find } satisfies SessionStore };

  async function find(idHash: string): Promise<Found | undefined> {
    const current = await version();
    const kept = cache.get(idHash, clock.now());
    if (kept?.version === current) return copy(kept.found);
    const found = await store.find(idHash);
    if (found) cache.set(idHash, { version: current, found: copy(found) }, clock.now());
    return found;
  }
}

/** A request changes the data of its session. */
function copy(found: Found): Found {
  return { ...found, data: { ...found.data } };
}
