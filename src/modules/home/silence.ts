import { DAY_MS } from "../../calendar/night.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { Count } from "../../db/listing.ts";
import { type Caches, MemoryCache } from "../../web/caches.ts";
import { findSilence, type Silence } from "./store.ts";

export type SilenceNeeds = { database: Database; clock: Clock; caches: Caches };

const KEPT_MS = 60_000;
const ABOUT = "Properties without a message for a day, or at all, for a minute, where properties are too many to count";

/**
 * Finds the properties that were silent for a day, or sent nothing yet. Where there are too many properties to count, each would be looked at for every home
 * page: there it is who was silent within the last minute.
 */
export function silenceFinder({ database, clock, caches }: SilenceNeeds): (properties: Count) => Promise<Silence> {
  const cache = caches.add(new MemoryCache<Silence>({ name: "home-silence", about: ABOUT, limit: 1, lifetime: KEPT_MS }));
  return async ({ exact }) => {
    const now = clock.now();
    const known = exact ? undefined : cache.get("", now);
    if (known) return known;
    const found = await findSilence(database, now - DAY_MS);
    if (!exact) cache.set("", found, now);
    return found;
  };
}
