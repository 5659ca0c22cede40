import { formatCursor } from "../../journal/feed/cursor.ts";
import { changeJson, type Feed, type Follow, followChanges } from "./follow.ts";

const KEEP_ALIVE_MS = 15_000;
const RECONNECT_MS = 500;

/** Server-sent events. The id of an event is the cursor after it. A silent stream sends the current cursor, which also keeps it open. */
export async function* eventLines(feed: Feed, follow: Follow): AsyncGenerator<string> {
  yield `retry: ${RECONNECT_MS}\n\n`;
  for await (const { changes, next } of followChanges(feed, follow, KEEP_ALIVE_MS)) {
    const events = changes.map((change) => `id: ${formatCursor(change.cursor)}\ndata: ${JSON.stringify(changeJson(change))}\n\n`);
    yield events.length > 0 ? events.join("") : `: nothing new\nid: ${formatCursor(next)}\n\n`;
  }
}

/** One change per line, then a line with the cursor. Ends when nothing has come for `wait` seconds. */
export async function* ndjsonLines(feed: Feed, follow: Follow): AsyncGenerator<string> {
  let cursor = follow.after;
  for await (const { changes, next, isLast } of followChanges(feed, follow, follow.query.wait * 1_000)) {
    cursor = next;
    if (changes.length > 0) yield changes.map((change) => `${JSON.stringify(changeJson(change))}\n`).join("");
    if (isLast && (changes.length === 0 || follow.query.wait === 0)) break;
  }
  yield `${JSON.stringify({ cursor: formatCursor(cursor) })}\n`;
}
