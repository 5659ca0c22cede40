import type { FastifyInstance } from "fastify";
import { HttpException } from "./http-error.ts";

/** A path that no route has. */
const UNROUTABLE = "/%00";

/** The most characters of a segment as sent: a fully encoded code of 64 characters is shorter. */
export const LONGEST_SEGMENT = 256;

/**
 * The request target as the router shall see it: without scheme and host where a client sent them, and without the path prefix
 * of `PUBLIC_URL` where the proxy left it. What cannot be decoded, or has an empty (`/property/`) or endless segment or a fragment, at which
 * the router would end the path, matches no route.
 */
export function routableTarget(target: string, prefix: string): string {
  const local = localTarget(target, prefix);
  const end = local.indexOf("?");
  const path = end === -1 ? local : local.slice(0, end);
  if (path === "/" || path === "") return `/${local.slice(path.length)}`;
  return isRoutable(path) ? local : UNROUTABLE;
}

/** The target without scheme, host and prefix, routable or not. */
export function localTarget(target: string, prefix: string): string {
  return stripPrefix(target.replace(/^https?:\/\/[^/?]*/i, ""), prefix);
}

/** Refuses a request without `Host`, or with two of them, as RFC 9112 section 3.2 has it: a proxy may have gone by the other one. */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host");
    if (hosts.length > 1) done(new HttpException(400, "The request names more than one host"));
    else if (hosts.length === 0 && raw.httpVersion === "1.1") done(new HttpException(400, "The request names no host"));
    else done();
  });
}

function stripPrefix(target: string, prefix: string): string {
  if (prefix === "" || !target.startsWith(prefix)) return target;
  const rest = target.slice(prefix.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : target;
}

/** Whether a route can have the path, as a browser sends it, of at least one segment. */
export function isRoutable(path: string): boolean {
  if (!path.startsWith("/") || path.endsWith("/") || path.includes("//") || path.includes("#")) return false;
  if (path.length > LONGEST_SEGMENT && path.split("/").some((segment) => segment.length > LONGEST_SEGMENT)) return false;
  if (!path.includes("%")) return true;
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}
