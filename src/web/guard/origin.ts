import type { FastifyRequest } from "fastify";

export type IsOwnOrigin = (origin: string, request: FastifyRequest) => boolean;

export function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: URL | undefined): boolean {
  if (publicUrl && origin === publicUrl.origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/**
 * Returns whether a page on a different site sent a request that can make changes. API clients send no `Origin`. Browsers may send `null`
 * with policy reports, so routes that are open to everyone accept it.
 */
export function isForeign(request: FastifyRequest, isOwn: IsOwnOrigin): boolean {
  const { origin } = request.headers;
  if (origin === undefined || SAFE_METHODS.has(request.method) || isOwn(origin, request)) return false;
  return origin !== "null" || request.routeOptions.config.access !== "open";
}
