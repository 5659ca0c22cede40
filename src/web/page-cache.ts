import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import { MemoryCache } from "./caches.ts";

const PAGES_KEPT = 300;
/** What depends on the time of day (today, how long ago) is made anew after this. */
const LIFETIME_MS = 60_000;
const LARGEST_PAGE = 512 * 1024;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The answer to a GET is the same for everyone until something is written: it is kept. */
    kept?: boolean;
  }
  interface FastifyRequest {
    /** Under what the answer will be kept. */
    keepAs: { key: string; version: string } | undefined;
  }
}

/** A page as it was answered, with the version of the database before it was made. */
type Kept = { version: string; tag: string; type: string; body: Buffer };

export type PageCacheOptions = { clock: Clock; version(): Promise<string> };

/**
 * Keeps the pages of routes with `config.kept` until anything is written to the database, by whatever process.
 * Only pages that say `private, no-cache` and carry an ETag are kept, so none with a form token or a flash.
 */
export function addPageCache(app: FastifyInstance, { clock, version }: PageCacheOptions): MemoryCache<Kept> {
  const about = "Answered lists and grids, until anything is written or a minute has passed";
  const cache = new MemoryCache<Kept>({ name: "pages", about, limit: PAGES_KEPT, lifetime: LIFETIME_MS });
  app.decorateRequest("keepAs", undefined);

  app.addHook("onRequest", async (request, reply) => {
    if (!request.routeOptions.config.kept || request.method !== "GET" || request.session?.data.flash !== undefined) return;
    const key = `${request.shell.theme} ${request.originalUrl}`;
    const current = await version();
    const kept = cache.get(key, clock.now());
    if (kept?.version === current) return sendKept(kept, request, reply);
    request.keepAs = { key, version: current };
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const tag = reply.getHeader("etag");
    if (!request.keepAs || typeof payload !== "string" || typeof tag !== "string" || reply.statusCode !== 200) return payload;
    if (payload.length > LARGEST_PAGE) return payload;
    const body = Buffer.from(payload);
    const type = String(reply.getHeader("content-type"));
    cache.set(request.keepAs.key, { version: request.keepAs.version, tag, type, body }, clock.now());
    return body;
  });
  return cache;
}

function sendKept({ tag, type, body }: Kept, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header("cache-control", "private, no-cache").header("etag", tag);
  if (request.headers["if-none-match"] === tag) return reply.code(304).send();
  return reply.type(type).send(body);
}
