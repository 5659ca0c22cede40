import type { Config } from "../../config.ts";
import { createNetworkMatcher } from "../../web/guard/networks.ts";

/** `headers` are as received, with names in lower case. */
export type ReceivedRequest = {
  peer: string;
  ip: string;
  /** Possible client addresses. Contains only the peer if it is not trusted. */
  chain: readonly string[];
  scheme: string;
  host: string;
  headers: Readonly<Record<string, string>>;
};

export function explainAddress({ peer, chain, headers }: ReceivedRequest, config: Config): string {
  const trustedProxies = config.values.TRUST_PROXY;
  if (trustedProxies.length === 0) return "the connection peer, because TRUST_PROXY is not set";
  if (chain.length > 1)
    return `the last address in X-Forwarded-For that is not a trusted proxy, or the first if all are trusted; the peer ${peer} is in TRUST_PROXY`;
  if (headers["x-forwarded-for"] === undefined) return "the connection peer, because there is no X-Forwarded-For header";
  return `the connection peer, because it is not in TRUST_PROXY (${trustedProxies.join(", ")})`;
}

export function proxyWarnings(arrival: ReceivedRequest, config: Config): string[] {
  const checks = [
    explainUntrustedProxy,
    explainSilentProxy,
    explainMissingUser,
    explainUnreadForwarded,
    explainSchemeMismatch,
    explainOtherHost,
  ];
  return checks.map((check) => check(arrival, config)).filter((warning) => warning !== undefined);
}

type ProxyCheck = (arrival: ReceivedRequest, config: Config) => string | undefined;

const explainUntrustedProxy: ProxyCheck = ({ peer, chain, headers }, { values }) => {
  if (headers["x-forwarded-for"] === undefined || chain.length > 1) return undefined;
  const why = values.TRUST_PROXY.length === 0 ? "TRUST_PROXY is not set" : `TRUST_PROXY does not include ${peer}`;
  return `The request has X-Forwarded-For, but ${why}, so all clients of this proxy appear as ${peer}. If it is your proxy, set TRUST_PROXY=${peer}.`;
};

const explainSilentProxy: ProxyCheck = ({ headers }, { values }) => {
  if (values.TRUST_PROXY.length === 0 || headers["x-forwarded-for"] !== undefined) return undefined;
  return "TRUST_PROXY is set, but the request has no X-Forwarded-For. Either it bypassed the proxy, or the proxy does not send the header.";
};

const explainMissingUser: ProxyCheck = ({ peer, headers }, { values }) => {
  const { PROXY_USER_HEADER: header, PROXY_USER_NETWORKS: list } = values;
  if (header === undefined) return undefined;
  const isNamed = headers[header.toLowerCase()] !== undefined;
  if (createNetworkMatcher(list)(peer))
    return isNamed ? undefined : `PROXY_USER_NETWORKS includes ${peer}, but the request has no ${header} header.`;
  return isNamed ? `The ${header} header is ignored, because PROXY_USER_NETWORKS does not include ${peer}.` : undefined;
};

const explainUnreadForwarded: ProxyCheck = ({ headers }) => {
  if (headers.forwarded === undefined || headers["x-forwarded-for"] !== undefined) return undefined;
  return "The proxy sends Forwarded (RFC 7239), which is not supported. Configure it to send X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host.";
};

const explainSchemeMismatch: ProxyCheck = ({ headers, scheme }, config) => {
  const forwardedScheme = headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim();
  if ((forwardedScheme === "https" || scheme === "https") && !config.https) {
    return "The request used HTTPS, but PUBLIC_URL does not, so cookies are not marked Secure. Set PUBLIC_URL to the https URL.";
  }
  if (forwardedScheme === "http" && config.https) return "PUBLIC_URL uses https, but the proxy reports that this request used http.";
  return undefined;
};

const explainOtherHost: ProxyCheck = ({ host }, { values }) => {
  const expectedHost = values.PUBLIC_URL?.host;
  if (expectedHost === undefined || expectedHost === host) return undefined;
  return `PUBLIC_URL has the host ${expectedHost}, but this request was for ${host}. Configure the proxy to pass the Host header or X-Forwarded-Host.`;
};
