import type { Config } from "../../config.ts";
import { networks } from "../../web/guard/networks.ts";

/** What is needed to tell how the client's address was found. `headers` are the ones received. */
export type Arrival = {
  peer: string;
  ip: string;
  /** The addresses that the client's was looked for in; the peer alone where it is not trusted. */
  chain: readonly string[];
  scheme: string;
  host: string;
  headers: Readonly<Record<string, string>>;
};

/** In words, from where the client's address was taken. */
export function explainAddress({ peer, chain, headers }: Arrival, config: Config): string {
  const trusted = config.values.TRUST_PROXY;
  if (trusted.length === 0) return "the peer of the connection, because TRUST_PROXY trusts no proxy";
  if (chain.length > 1)
    return `the last address of X-Forwarded-For that is no trusted proxy, or the first; the peer ${peer} is in TRUST_PROXY`;
  if (headers["x-forwarded-for"] === undefined) return "the peer of the connection, because no X-Forwarded-For was sent";
  return `the peer of the connection, because it is not in TRUST_PROXY (${trusted.join(", ")})`;
}

/** What of the proxy in front, or of the settings about it, does not fit; empty when all does. */
export function proxyWarnings(arrival: Arrival, config: Config): string[] {
  const checks = [untrustedProxy, silentProxy, userNotNamed, unreadForwarded, schemeBelowTls, otherHost];
  return checks.map((check) => check(arrival, config)).filter((warning) => warning !== undefined);
}

type Check = (arrival: Arrival, config: Config) => string | undefined;

const untrustedProxy: Check = ({ peer, chain, headers }, { values }) => {
  if (headers["x-forwarded-for"] === undefined || chain.length > 1) return undefined;
  const why = values.TRUST_PROXY.length === 0 ? "TRUST_PROXY trusts nobody" : `TRUST_PROXY does not name ${peer}`;
  return `X-Forwarded-For was sent, but ${why}: all clients behind this proxy count as one, ${peer}. If it is your proxy, set TRUST_PROXY=${peer}.`;
};

const silentProxy: Check = ({ headers }, { values }) => {
  if (values.TRUST_PROXY.length === 0 || headers["x-forwarded-for"] !== undefined) return undefined;
  return "TRUST_PROXY is set, but this request has no X-Forwarded-For: either it did not come through the proxy, or the proxy does not send it.";
};

const userNotNamed: Check = ({ peer, headers }, { values }) => {
  const { PROXY_USER_HEADER: header, PROXY_USER_NETWORKS: list } = values;
  if (header === undefined) return undefined;
  const isNamed = headers[header.toLowerCase()] !== undefined;
  if (networks(list)(peer)) return isNamed ? undefined : `PROXY_USER_NETWORKS names ${peer}, but it sent no ${header}.`;
  return isNamed ? `${header} was sent, but does not count: PROXY_USER_NETWORKS does not name ${peer}.` : undefined;
};

const unreadForwarded: Check = ({ headers }) => {
  if (headers.forwarded === undefined || headers["x-forwarded-for"] !== undefined) return undefined;
  return "The proxy sends Forwarded (RFC 7239), which is not read. Let it send X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host.";
};

const schemeBelowTls: Check = ({ headers, scheme }, config) => {
  const told = headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim();
  if ((told === "https" || scheme === "https") && !config.https) {
    return "Users come over https, but PUBLIC_URL does not say so: cookies are not marked Secure. Set PUBLIC_URL to the https address.";
  }
  if (told === "http" && config.https) return "PUBLIC_URL says https, but the proxy says that this client came over http.";
  return undefined;
};

const otherHost: Check = ({ host }, { values }) => {
  const expected = values.PUBLIC_URL?.host;
  if (expected === undefined || expected === host) return undefined;
  return `PUBLIC_URL says that users see ${expected}, but this request was for ${host}: let the proxy pass the Host header or X-Forwarded-Host.`;
};
