import { todayIn } from "../../calendar/night.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import type { GridQuery } from "../../grid/grid-query.ts";
import { type Caches, MemoryCache } from "../../web/caches.ts";
import type { Page } from "../../web/page.ts";
import { findStamp } from "./store.ts";

const LIMIT = 40;
const LIFETIME_MS = 600_000;

/** A place for a page: what is kept there, and what puts a page there. */
export type Place = { page: Page | undefined; keep(page: Page): void };

/**
 * Pages of one of the grids, each kept until something happens to its property: a message, an edit of it or of a category.
 * What has happened is asked of the database every time, so that a page is never older than its answer.
 */
export class KeptGrids {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #pages: MemoryCache<{ stamp: string; page: Page }>;

  constructor({ database, clock, caches }: { database: Database; clock: Clock; caches: Caches }, section: string) {
    this.#database = database;
    this.#clock = clock;
    const about = `Pages of /${section}, until something happens to their property, for 10 minutes at most.`;
    this.#pages = caches.add(new MemoryCache({ name: section, about, limit: LIMIT, lifetime: LIFETIME_MS }));
  }

  /** The place of the page that a query asks for; undefined when there is no such property. */
  async find(query: GridQuery): Promise<Place | undefined> {
    const { property, category, plan, room, from, days, view, only } = query;
    const found = await findStamp(this.#database, property);
    if (!found) return undefined;
    const now = this.#clock.now();
    const stamp = `${found.stamp} ${todayIn(found.timeZone, now)}`;
    const key = JSON.stringify([property, category, plan, room, from, days, view, only]);
    const known = this.#pages.get(key, now);
    const keep = (page: Page) => this.#pages.set(key, { stamp, page }, now);
    return { page: known?.stamp === stamp ? known.page : undefined, keep };
  }
}
