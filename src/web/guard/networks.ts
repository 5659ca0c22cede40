import { BlockList, isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";

/** Returns a predicate for addresses and networks such as `10.0.0.0/8`. An IPv4 address may be written as IPv6. */
export function networks(list: readonly string[]): (address: string | undefined) => boolean {
  const known = new BlockList();
  for (const one of list) {
    const [address = "", bits] = one.split("/");
    if (bits === undefined) known.addAddress(address, familyOf(address));
    else known.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address = "") => isIP(address) !== 0 && known.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

const isLoopback = networks(["127.0.0.0/8", "::1"]);

/** Browsers with pages of other sites, proxies and tunnels also connect from loopback, so the headers are checked too. */
export function isFromThisMachine(request: FastifyRequest, port: number): boolean {
  const { headers, raw } = request;
  return (
    isLoopback(raw.socket.remoteAddress) &&
    raw.httpVersion !== "1.0" &&
    isLocalHost(headers.host, port) &&
    headers.via === undefined &&
    forwardingHeader(headers) === undefined &&
    headers["sec-fetch-site"] !== "cross-site"
  );
}

function isLocalHost(host: string | undefined, port: number): boolean {
  const [, name, sentPort = "80"] = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec(host ?? "") ?? [];
  return name !== undefined && Number(sentPort) === port;
}

const FORWARDING_HEADERS: ReadonlySet<string> = new Set(["forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"]);

function forwardingHeader(headers: FastifyRequest["headers"]): string | undefined {
  return Object.keys(headers).find((name) => FORWARDING_HEADERS.has(name) || name.startsWith("x-forwarded-"));
}

declare module "fastify" {
  interface FastifyRequest {
    /** Address of a peer that forwarded the request although TRUST_PROXY does not name it. */
    untrustedProxy: string | undefined;
  }
}

const LOG_EVERY_MS = 60_000;

/** Marks and logs requests from a proxy that is not trusted: all its clients count as one address. */
export function reportUntrustedProxies(app: FastifyInstance, { trusted, clock }: { trusted: readonly string[]; clock: Clock }): void {
  const isTrusted = networks(trusted);
  let loggedAt: number | undefined;
  app.decorateRequest("untrustedProxy", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const header = forwardingHeader(request.headers);
    const peer = request.raw.socket.remoteAddress;
    if (header !== undefined && !isTrusted(peer)) {
      request.untrustedProxy = peer;
      log(request, header);
    }
    done();
  });

  function log({ id: reqId, log: logger, untrustedProxy: ip }: FastifyRequest, header: string): void {
    const now = clock.now();
    if (loggedAt !== undefined && Math.abs(now - loggedAt) < LOG_EVERY_MS) return;
    loggedAt = now;
    logger.warn({ reqId, ip, header }, "a proxy that TRUST_PROXY does not name forwards requests: all its clients count as one address");
  }
}
