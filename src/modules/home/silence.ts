import { DAY_MS } from "../../calendar/night.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { RowCount } from "../../db/listing.ts";
import { type CacheRegistry, MemoryCache } from "../../web/caches.ts";
import { type AgeCounts, findAges, findSilence, type SilentProperties } from "./store.ts";

const CACHE_LIFETIME_MS = 60_000;
const CACHE_DESCRIPTION = "Silent properties, if there are too many properties to count them on each request";

export type PropertyActivity = { silence: SilentProperties; ages: AgeCounts };

export type SilenceDeps = { database: Database; clock: Clock; caches: CacheRegistry };

/**
 * Returns a function that finds silent properties and the age of the last messages. If there are more properties than are counted exactly,
 * caches the result for a minute, because the query reads all of them.
 */
export function createSilenceFinder({ database, clock, caches }: SilenceDeps): (properties: RowCount) => Promise<PropertyActivity> {
  const cache = caches.add(
    new MemoryCache<PropertyActivity>({ name: "home-silence", about: CACHE_DESCRIPTION, limit: 1, lifetime: CACHE_LIFETIME_MS }),
  );
  return async ({ exact }) => {
    const now = clock.now();
    const cachedActivity = exact ? undefined : cache.get("", now);
    if (cachedActivity) return cachedActivity;
    const [silence, ages] = await Promise.all([findSilence(database, now - DAY_MS), findAges(database, now)]);
    const silenceAndAges = { silence, ages };
    if (!exact) cache.set("", silenceAndAges, now);
    return silenceAndAges;
  };
}
