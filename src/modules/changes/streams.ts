import { formatCursor } from "../../journal/feed/cursor.ts";
import { type FeedDeps, type FollowOptions, followChanges } from "./follow.ts";
import { changesJson } from "./json.ts";

const KEEP_ALIVE_INTERVAL_MS = 15_000;
const RECONNECT_DELAY_MS = 500;

/** Yields server-sent events. An event's ID is the cursor after it. An idle stream sends the cursor to keep the connection open. */
export async function* eventLines(feed: FeedDeps, follow: FollowOptions): AsyncGenerator<string> {
  yield `retry: ${RECONNECT_DELAY_MS}\n\n`;
  for await (const { changes, next } of followChanges(feed, follow, KEEP_ALIVE_INTERVAL_MS)) {
    const all = await changesJson(feed.database, changes, follow.query);
    const events = all.map((change, index) => `id: ${formatCursor(changes[index]!.cursor)}\ndata: ${JSON.stringify(change)}\n\n`);
    yield events.length > 0 ? events.join("") : `: nothing new\nid: ${formatCursor(next)}\n\n`;
  }
}

/** Yields one change per line, then a line with the cursor. Ends after `wait` seconds without a change. */
export async function* ndjsonLines(feed: FeedDeps, follow: FollowOptions): AsyncGenerator<string> {
  let cursor = follow.after;
  for await (const { changes, next, isLast } of followChanges(feed, follow, follow.query.wait * 1_000)) {
    cursor = next;
    const all = await changesJson(feed.database, changes, follow.query);
    if (all.length > 0) yield all.map((change) => `${JSON.stringify(change)}\n`).join("");
    if (isLast && (all.length === 0 || follow.query.wait === 0)) break;
  }
  yield `${JSON.stringify({ cursor: formatCursor(cursor) })}\n`;
}
