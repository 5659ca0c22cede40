import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../../db/database.ts";
import { formatCursor } from "../../journal/feed/cursor.ts";
import { sequenceChanges } from "../../journal/feed/sequence.ts";
import { ExpiredCursorError, findFirstCursor, readChanges } from "../../journal/feed/store.ts";
import { ChangeWatch } from "../../journal/feed/watch.ts";
import { requireProperty } from "../../web/guard/grant.ts";
import { streamAccess } from "../../web/guard/stream-access.ts";
import { sendJson } from "../../web/json.ts";
import { sendProblem } from "../../web/problem.ts";
import type { Module } from "../module.ts";
import { type FeedDeps, type FollowOptions, followChanges } from "./follow.ts";
import { changesJson } from "./json.ts";
import { type FeedQuery, readFeedQuery } from "./query.ts";
import { eventLines, ndjsonLines } from "./streams.ts";

/** Maximum stream duration. Readers reconnect with their cursor. */
const MAX_STREAM_MS = 300_000;

export const changesModule: Module<{ database: Database }> = {
  name: "changes",
  about: "The change feed: all changes, in commit order.",
  tables: ["change", "change_outbox"],
  uses: [],
  register(app, { database }) {
    const feedDeps: FeedDeps = { database, watch: new ChangeWatch(database) };
    const stopping = new AbortController();
    app.addHook("preClose", async () => stopping.abort());
    const config = { about: "follow changes", problems: true, tokens: { read: "changes", property: "handler" } } as const;
    app.get("/changes", { config }, (_request, reply) => sendChangesResponse(feedDeps, reply, stopping.signal));
  },
};

async function sendChangesResponse(feedDeps: FeedDeps, reply: FastifyReply, stopping: AbortSignal): Promise<FastifyReply> {
  const { request } = reply;
  const { query, faults } = readFeedQuery(request);
  if (Object.keys(faults).length > 0) return sendProblem(reply, { status: 422, detail: "Some parameters are invalid.", errors: faults });
  try {
    return await sendFeed(feedDeps, { ...query, properties: allowedProperties(request, query) }, { reply, stopping });
  } catch (error) {
    if (!(error instanceof ExpiredCursorError)) throw error;
    return sendProblem(reply, { status: 410, detail: `${error.message}. ${RELOAD_HINT}` });
  }
}

const RELOAD_HINT = "Load /inventories?format=ndjson and /rates?format=ndjson, then continue with the older of the two cursors.";

/** Returns the properties to follow. Without `property`, a token that is limited to properties follows all of them. */
function allowedProperties(request: FastifyRequest, { properties }: FeedQuery): FeedQuery["properties"] {
  for (const property of properties ?? []) requireProperty(request, property);
  return properties ?? request.user?.grant?.properties;
}

async function sendFeed(feedDeps: FeedDeps, query: FeedQuery, { reply, stopping }: { reply: FastifyReply; stopping: AbortSignal }) {
  const after = query.after ?? (await findFirstCursor(feedDeps.database));
  const endSignal = AbortSignal.any([stopping, streamAccess(reply), AbortSignal.timeout(MAX_STREAM_MS)]);
  const follow: FollowOptions = { query, after, ended: endSignal };
  if (query.format === "json" || reply.request.method === "HEAD") return sendOnce(feedDeps, reply, follow);
  // Check the cursor before streaming: an expired cursor needs an error status, which a stream can't send later.
  await readChanges(feedDeps.database, query, { after, tip: await sequenceChanges(feedDeps.database), limit: 1 });
  const isEvents = query.format === "events";
  return reply
    .type(isEvents ? "text/event-stream; charset=utf-8" : "application/x-ndjson; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-accel-buffering", "no")
    .send(Readable.from(isEvents ? eventLines(feedDeps, follow) : ndjsonLines(feedDeps, follow), { highWaterMark: 1 }));
}

/** Waits for changes and sends them. If the service stops during the wait, sends the same cursor. */
async function sendOnce(feedDeps: FeedDeps, reply: FastifyReply, follow: FollowOptions): Promise<FastifyReply> {
  const idleMs = reply.request.method === "HEAD" ? 0 : follow.query.wait * 1_000;
  for await (const { changes, next, isLast } of followChanges(feedDeps, follow, idleMs))
    return sendJson(reply, {
      changes: await changesJson(feedDeps.database, changes, follow.query),
      cursor: formatCursor(next),
      more: !isLast,
    });
  return sendJson(reply, { changes: [], cursor: formatCursor(follow.after), more: true });
}
