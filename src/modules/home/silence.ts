import { DAY_MS } from "../../calendar/night.ts";
import type { Count } from "../../db/count.ts";
import { MemoryCache } from "../../web/caches.ts";
import type { Services } from "../module.ts";
import { findSilence, type Silence } from "./store.ts";

const LIFETIME_MS = 60_000;
const ABOUT = "Silent properties, kept for a minute if there are too many properties to count";

/** Finds silent properties. If there are too many properties to count, the result is up to a minute old, because finding it reads all of them. */
export function silenceFinder({ database, clock, caches }: Services): (properties: Count) => Promise<Silence> {
  const cache = caches.add(new MemoryCache<Silence>({ name: "home-silence", about: ABOUT, limit: 1, lifetime: LIFETIME_MS }));
  return async ({ exact }) => {
    const now = clock.now();
    const known = exact ? undefined : cache.get("", now);
    if (known) return known;
    const found = await findSilence(database, now - DAY_MS);
    if (!exact) cache.set("", found, now);
    return found;
  };
}
