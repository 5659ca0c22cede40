import { timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import { readAuthorization } from "./authorization.ts";
import { Backoff } from "./backoff.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who acts, for the audit: `open`, `admin`, or empty when nobody was asked. */
    actor: string;
    /** The credential came as a Bearer token, which no browser sends by itself. */
    viaBearer: boolean;
    /** The request passes every guard of open access; always false where a credential is required. */
    openAccess: boolean;
  }
}

/** Refused for lack of a credential or a right. It is logged, but never recorded as an error. */
export class AccessException extends Error {
  override readonly name = "AccessException";
  readonly statusCode: 401 | 403 | 429;
  readonly retryAfter: number | undefined;

  constructor(statusCode: 401 | 403 | 429, message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

/** `passwordHash` undefined: access is open, to requests of this machine alone. */
export type AccessOptions = { passwordHash: string | undefined; hash(secret: string): string; clock: Clock; port(): number };

/** Asks for the credential on every known route that wants one. Unknown paths never come here. */
export function addAccess(app: FastifyInstance, options: AccessOptions): void {
  const backoff = new Backoff(options.clock);
  app.decorateRequest("actor", "");
  app.decorateRequest("viaBearer", false);
  app.decorateRequest("openAccess", false);
  app.addHook("onRequest", (request, _reply, done) => {
    request.openAccess = options.passwordHash === undefined && isFromThisMachine(request, options.port());
    const wanted = request.routeOptions.config.access ?? "admin";
    if (wanted === "admin")
      request.actor = options.passwordHash === undefined ? allowOpen(request) : allowCredential(request, options, backoff);
    done();
  });
}

function allowOpen(request: FastifyRequest): string {
  if (request.openAccess) return "open";
  throw new AccessException(
    403,
    "Access without a credential is only for requests made on this machine itself. Set ADMIN_PASSWORD, or NODE_ENV=production, to use the service from elsewhere or behind a proxy.",
  );
}

/** Any user name will do. */
function allowCredential(request: FastifyRequest, options: AccessOptions, backoff: Backoff): string {
  const wait = backoff.secondsToWait(request.ip);
  if (wait > 0) throw new AccessException(429, `Too many wrong credentials. Try again in ${wait} seconds.`, wait);
  const given = readAuthorization(request.headers.authorization);
  if (given && isSame(options.hash(given.secret), options.passwordHash!)) {
    request.viaBearer = given.scheme === "bearer";
    return "admin";
  }
  if (given) {
    backoff.fail(request.ip);
    request.log.warn({ reqId: request.id, ip: request.ip }, "wrong credential");
  }
  throw new AccessException(401, given ? "The credential is wrong." : "A credential is required.");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** What proxies and tunnels add, beside every `X-Forwarded-*`. */
const FORWARDING: ReadonlySet<string> = new Set(["forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip"]);

/**
 * A page in a browser elsewhere, a proxy or a tunnel on this machine also arrive from loopback, so the peer alone proves nothing:
 * the host name, the version and the absence of forwarding headers are asked too.
 */
function isFromThisMachine(request: FastifyRequest, port: number): boolean {
  const { headers, raw } = request;
  const forwarded = Object.keys(headers).some((name) => FORWARDING.has(name) || name.startsWith("x-forwarded-"));
  return (
    isLoopback(raw.socket.remoteAddress) &&
    raw.httpVersion !== "1.0" &&
    isOurHost(headers.host, port) &&
    !forwarded &&
    headers["sec-fetch-site"] !== "cross-site"
  );
}

function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.startsWith("::ffff:") ? address.slice(7) : address;
  return loopback.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

function isOurHost(host: string | undefined, port: number): boolean {
  const [, name, given = "80"] = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec(host ?? "") ?? [];
  return name !== undefined && Number(given) === port;
}
