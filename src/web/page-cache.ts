import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import { MemoryCache } from "./caches.ts";
import { namesTag } from "./conditional.ts";
import { onRequest, onSend } from "./hooks.ts";
import { wantsJson } from "./negotiate.ts";
import { RepeatedBody } from "./repeated-body.ts";

const PAGES_KEPT = 300;
/** Counts the pages as made: their compressed copies, far smaller, come on top. */
const BYTES_KEPT = 32 * 1024 * 1024;
/** Pages that depend on the time (today, how long ago) are made again after this. */
const LIFETIME_MS = 60_000;
const LARGEST_PAGE = 512 * 1024;

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The page has no form token and is the same for everyone with the same role until something is written: it is kept here,
     * and by the browser, which asks for it again with its ETag.
     */
    kept?: boolean;
  }
  interface FastifyRequest {
    /** Under what the answer will be kept. */
    keepAs: { key: string; version: string } | undefined;
  }
}

/** A page as it was answered, with the version of the database before it was made. */
type Kept = { version: string; tag: string; type: string; body: RepeatedBody };

export type PageCacheOptions = { clock: Clock; version(): Promise<string> };

/**
 * Keeps the pages of routes with `config.kept` until any process writes to the database.
 * Only pages that say `private, no-cache` and carry an ETag are kept, so none with a form token or a flash.
 */
export function addPageCache(app: FastifyInstance, { clock, version }: PageCacheOptions): MemoryCache<Kept> {
  const about = "Answered lists and grids, 32 MB of them at most, until anything is written or a minute has passed";
  const weight = { of: ({ body }: Kept) => body.length, limit: BYTES_KEPT };
  const cache = new MemoryCache<Kept>({ name: "pages", about, limit: PAGES_KEPT, lifetime: LIFETIME_MS, weight });
  app.decorateRequest("keepAs", undefined);

  onRequest(app, (request, reply) => {
    const { kept } = request.routeOptions.config;
    const fits = kept && request.method === "GET" && request.session?.data.flash === undefined && !wantsJson(request);
    return fits ? answerKept(request, reply) : undefined;
  });

  onSend(app, (request, reply, payload) => {
    const fits = Buffer.isBuffer(payload) && payload.length <= LARGEST_PAGE && reply.statusCode === 200;
    return request.keepAs && fits ? keep(payload, request.keepAs, reply) : payload;
  });
  return cache;

  async function answerKept(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const key = `${request.role} ${request.shell.theme} ${request.untrustedProxy} ${request.originalUrl}`;
    const current = await version();
    const kept = cache.get(key, clock.now());
    if (kept?.version === current) return sendKept(kept, request, reply);
    request.keepAs = { key, version: current };
    return undefined;
  }

  function keep(page: Buffer, { key, version: made }: { key: string; version: string }, reply: FastifyReply): Buffer {
    const tag = reply.getHeader("etag");
    if (typeof tag !== "string") return page;
    const body = new RepeatedBody(page, "quick");
    cache.set(key, { version: made, tag, type: String(reply.getHeader("content-type")), body }, clock.now());
    return body.forReply(reply);
  }
}

function sendKept({ tag, type, body }: Kept, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header("vary", "accept, accept-encoding").header("cache-control", "private, no-cache").header("etag", tag);
  if (namesTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.type(type).send(body.forReply(reply));
}
