import type { FastifyInstance } from "fastify";
import { HttpException } from "./http-error.ts";

const UNROUTABLE_PATH = "/%00";

/** Counts encoded characters. A code of 64 characters can take up 576 when percent-encoded. */
export const MAX_SEGMENT_LENGTH = 600;

/**
 * Returns the target for the router, without scheme and host, and without the path prefix in `PUBLIC_URL` if the proxy kept it. A path
 * matches no route if it can't be decoded, has a fragment, or has an empty or very long segment. The router would ignore the fragment.
 */
export function routableTarget(target: string, prefix: string): string {
  const localPath = localTarget(target, prefix);
  const end = localPath.indexOf("?");
  const path = end === -1 ? localPath : localPath.slice(0, end);
  if (path === "/" || path === "") return `/${localPath.slice(path.length)}`;
  return isRoutable(path) ? localPath : UNROUTABLE_PATH;
}

export function localTarget(target: string, prefix: string): string {
  return stripPrefix(target.replace(/^https?:\/\/[^/?]*/i, ""), prefix);
}

/**
 * Refuses requests with more than one `Host` header, and HTTP/1.1 requests without one (RFC 9112, 3.2). If there are two, a proxy may have
 * used the other one.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host");
    if (hosts.length > 1) done(new HttpException(400, "The request has more than one Host header"));
    else if (hosts.length === 0 && raw.httpVersion === "1.1") done(new HttpException(400, "The request has no Host header"));
    else done();
  });
}

function stripPrefix(target: string, prefix: string): string {
  if (prefix === "" || !target.startsWith(prefix)) return target;
  const pathWithoutPrefix = target.slice(prefix.length);
  if (pathWithoutPrefix === "" || pathWithoutPrefix.startsWith("?")) return `/${pathWithoutPrefix}`;
  return pathWithoutPrefix.startsWith("/") ? pathWithoutPrefix : target;
}

export function isRoutable(path: string): boolean {
  if (!path.startsWith("/") || path.endsWith("/") || path.includes("//") || path.includes("#")) return false;
  if (path.length > MAX_SEGMENT_LENGTH && path.split("/").some((segment) => segment.length > MAX_SEGMENT_LENGTH)) return false;
  if (!path.includes("%")) return true;
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}
