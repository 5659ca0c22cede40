import type { Database } from "../../db/database.ts";
import type { Cursor } from "../../journal/feed/cursor.ts";
import { type FeedPage, readChanges } from "../../journal/feed/store.ts";
import type { ChangeWatch } from "../../journal/feed/watch.ts";
import type { FeedQuery } from "./query.ts";

export type Feed = { database: Database; watch: ChangeWatch };

/** `ended` aborts when the client is gone, the service stops or the stream has lasted long enough. */
export type Follow = { query: FeedQuery; after: Cursor; ended: AbortSignal };

const STREAM_BATCH = 1_000;

/**
 * Yields what follows a cursor, and an empty page each time that nothing came for `idleMs`. Ends with `ended`, or after `query.limit` changes.
 */
export async function* followChanges(feed: Feed, { query, after, ended }: Follow, idleMs: number): AsyncGenerator<FeedPage> {
  let from = after;
  let left = query.limit ?? Infinity;
  while (left > 0 && !ended.aborted) {
    const page = await nextPage(feed, { ...query, limit: Math.min(left, STREAM_BATCH) }, { after: from, until: ended, idleMs });
    yield page;
    left -= page.changes.length;
    from = page.next;
  }
}

type Patience = { after: Cursor; until: AbortSignal; idleMs: number };

/** Reads the next changes, and waits up to `idleMs` for the first of them. */
export async function nextPage({ database, watch }: Feed, query: FeedQuery, { after, until, idleMs }: Patience): Promise<FeedPage> {
  const patience = idleMs === 0 ? AbortSignal.abort() : AbortSignal.any([until, AbortSignal.timeout(idleMs)]);
  for (let from = after; ;) {
    const page = await readChanges(database, query, { after: from, limit: query.limit ?? STREAM_BATCH });
    if (page.changes.length > 0 || (page.isLast && patience.aborted)) return page;
    from = page.next;
    if (page.isLast) await watch.wait({ after: from, properties: query.properties, signal: patience });
  }
}
