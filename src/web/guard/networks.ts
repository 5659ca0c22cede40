import { BlockList, isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../../clock.ts";

/** Returns a predicate for a list of addresses and networks such as `10.0.0.0/8`. IPv4 addresses may be written as IPv6. */
export function createNetworkMatcher(list: readonly string[]): (address: string | undefined) => boolean {
  const networks = new BlockList();
  for (const one of list) {
    const [address = "", bits] = one.split("/");
    if (bits === undefined) networks.addAddress(address, addressFamily(address));
    else networks.addSubnet(address, Number(bits), addressFamily(address));
  }
  return (address = "") => isIP(address) !== 0 && networks.check(address, addressFamily(address));
}

function addressFamily(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

const isLoopback = createNetworkMatcher(["127.0.0.0/8", "::1"]);

/**
 * Returns whether a request comes from this machine. Also checks headers, because proxies, tunnels and pages from other sites in a local
 * browser also connect from loopback.
 */
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
    /** The address of a peer that forwarded the request but is not listed in TRUST_PROXY. */
    untrustedProxy: string | undefined;
  }
}

const LOG_INTERVAL_MS = 60_000;

/** Marks and logs requests from untrusted proxies, whose clients all share one address. The returned function returns the last proxy. */
export function reportUntrustedProxies(
  app: FastifyInstance,
  { trusted, clock }: { trusted: readonly string[]; clock: Clock },
): () => string | undefined {
  const isTrusted = createNetworkMatcher(trusted);
  let loggedAt: number | undefined;
  let last: string | undefined;
  app.decorateRequest("untrustedProxy", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const header = forwardingHeader(request.headers);
    const peer = request.raw.socket.remoteAddress;
    if (header !== undefined && !isTrusted(peer)) {
      request.untrustedProxy = peer;
      last = peer;
      log(request, header);
    }
    done();
  });
  return () => last;

  function log({ id: reqId, log: logger, untrustedProxy: ip }: FastifyRequest, header: string): void {
    const now = clock.now();
    if (loggedAt !== undefined && Math.abs(now - loggedAt) < LOG_INTERVAL_MS) return;
    loggedAt = now;
    logger.warn({ reqId, ip, header }, "a proxy that is not in TRUST_PROXY forwards requests: all its clients appear to share one address");
  }
}
