import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";
import { networks } from "./networks.ts";

const LOG_EVERY_MS = 60_000;

/** Name the client or what it asked for, beside every `X-Forwarded-*`. */
const CLIENT_HEADERS: ReadonlySet<string> = new Set(["forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"]);

declare module "fastify" {
  interface FastifyRequest {
    /** Address of a peer that forwarded the request although TRUST_PROXY does not name it. */
    untrustedProxy: string | undefined;
  }
}

/** Whether a proxy or tunnel added headers to a request. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return headers.via !== undefined || clientHeader(headers) !== undefined;
}

function clientHeader(headers: FastifyRequest["headers"]): string | undefined {
  return Object.keys(headers).find((name) => CLIENT_HEADERS.has(name) || name.startsWith("x-forwarded-"));
}

/** Marks and logs requests that a proxy forwards that is not trusted: all its clients count as one address. */
export function reportUntrustedProxies(app: FastifyInstance, { trusted, clock }: { trusted: readonly string[]; clock: Clock }): void {
  const isTrusted = networks(trusted);
  let loggedAt: number | undefined;
  app.decorateRequest("untrustedProxy", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const header = clientHeader(request.headers);
    const peer = request.raw.socket.remoteAddress;
    if (header !== undefined && !isTrusted(peer)) {
      request.untrustedProxy = peer;
      log(request, header);
    }
    done();
  });

  function log({ id: reqId, log: lines, untrustedProxy: ip }: FastifyRequest, header: string): void {
    const now = clock.now();
    if (loggedAt !== undefined && Math.abs(now - loggedAt) < LOG_EVERY_MS) return;
    loggedAt = now;
    lines.warn({ reqId, ip, header }, "a proxy that TRUST_PROXY does not name forwards requests: all its clients count as one address");
  }
}
