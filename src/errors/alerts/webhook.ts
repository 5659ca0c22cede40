import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { networks } from "../../web/guard/networks.ts";

export type Webhook = { url: URL; secret: string; isAllowed(address: string): boolean };

/** Posts JSON. Rejects if any address of the host is not allowed or the response is not 2xx. Does not follow redirects. */
export async function postWebhook(webhook: Webhook, body: string, { at, signal }: { at: number; signal: AbortSignal }): Promise<void> {
  const { url } = webhook;
  const pinned = await resolveHost(webhook, signal);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "user-agent": "Roomrack",
    "roomrack-signature": signatureOf(webhook.secret, body, at),
  };
  const sent = request(url, { method: "POST", headers, signal, lookup: pinned, agent: false });
  sent.on("error", () => {});
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.destroy();
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) throw new Error(`${url.host} returned ${status}`);
}

/** Returns `t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 of `SECONDS.BODY`. */
function signatureOf(secret: string, body: string, at: number): string {
  const seconds = Math.floor(at / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** Resolves the host only once, because a second lookup could return addresses that were not checked. */
async function resolveHost({ url, isAllowed }: Webhook, signal: AbortSignal): Promise<LookupFunction> {
  const found = await abortable(lookup(url.hostname.replaceAll(/^\[|\]$/g, ""), { all: true }), signal);
  const refused = found.find(({ address }) => !isAllowed(address));
  if (found.length === 0) throw new Error(`${url.hostname} has no address`);
  if (refused) throw new Error(`${url.hostname} resolves to ${refused.address}, which is not a public address`);
  const { address, family } = found[0]!;
  return (_host, options, callback) => (options.all ? callback(null, found) : callback(null, address, family));
}

async function abortable<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([task, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** All blocks of https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and reserved addresses. */
const SPECIAL_4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"],
  ...["192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"],
  ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
/** Blocks of https://www.iana.org/assignments/iana-ipv6-special-registry within 2000::/3, and 3ffe::/16, which is unassigned again. */
const SPECIAL_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"];
/** Public addresses of internal cloud services: Azure's wire server (metadata, DNS) and IBM's private endpoints. */
const CLOUD_SERVICES = ["168.63.129.16", "161.26.0.0/16", "166.8.0.0/14"];

const isSpecial = networks([...SPECIAL_4, ...SPECIAL_6, ...CLOUD_SERVICES]);
const isAssigned = networks(["2000::/3"]);

export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !isSpecial(address) && (version === 4 || isAssigned(address));
}
