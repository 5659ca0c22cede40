import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../db/database.ts";
import type { Cursor } from "../../journal/feed/cursor.ts";
import { sequenceChanges } from "../../journal/feed/sequence.ts";
import { type FeedPage, readChanges } from "../../journal/feed/store.ts";
import type { ChangeWatch } from "../../journal/feed/watch.ts";
import type { FeedQuery } from "./query.ts";

export type FeedDeps = { database: Database; watch: ChangeWatch };

/** `ended` aborts when the client disconnects, the service stops or the stream reaches its maximum duration. */
export type FollowOptions = { query: FeedQuery; after: Cursor; ended: AbortSignal };

const CHANGES_PER_BATCH = 1_000;

/**
 * Yields the changes after a cursor, and an empty page after `idleMs` without changes. Stops when `ended` aborts, or after `query.limit`
 * changes. Reads again only when the watch has seen a change, so that followers don't add load while many messages arrive.
 */
export async function* followChanges(
  { database, watch }: FeedDeps,
  { query, after, ended }: FollowOptions,
  idleMs: number,
): AsyncGenerator<FeedPage> {
  let idle = idleSignal(ended, idleMs);
  let tip = await sequenceChanges(database);
  let left = query.limit ?? Infinity;
  for (let from = after; left > 0;) {
    const page = await readChanges(database, query, { after: from, tip, limit: Math.min(left, CHANGES_PER_BATCH) });
    from = page.next;
    left -= page.changes.length;
    if (page.changes.length > 0 || (page.isLast && idle.aborted)) {
      yield page;
      idle = idleSignal(ended, idleMs);
    }
    if (ended.aborted) return;
    if (page.isLast) tip = await watch.wait({ after: from, properties: query.properties, signal: idle });
    else await nextTurn();
  }
}

function idleSignal(ended: AbortSignal, idleMs: number): AbortSignal {
  return idleMs === 0 ? AbortSignal.abort() : AbortSignal.any([ended, AbortSignal.timeout(idleMs)]);
}
