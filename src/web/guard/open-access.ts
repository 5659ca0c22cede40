import type { FastifyRequest } from "fastify";
import { isForwarded } from "./forwarding.ts";
import { networks } from "./networks.ts";

const isLoopback = networks(["127.0.0.0/8", "::1"]);

/**
 * A page in a browser elsewhere, a proxy or a tunnel on this machine also arrive from loopback, so the peer alone proves nothing:
 * the host name, the version and the absence of forwarding headers are asked too.
 */
export function isFromThisMachine(request: FastifyRequest, port: number): boolean {
  const { headers, raw } = request;
  return (
    isLoopback(raw.socket.remoteAddress) &&
    raw.httpVersion !== "1.0" &&
    isOurHost(headers.host, port) &&
    !isForwarded(request) &&
    headers["sec-fetch-site"] !== "cross-site"
  );
}

function isOurHost(host: string | undefined, port: number): boolean {
  const [, name, given = "80"] = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec(host ?? "") ?? [];
  return name !== undefined && Number(given) === port;
}
