import { createHmac } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { LookupFunction } from "node:net";

/** Where somebody is told, and with which secret this is signed. `isAllowed` judges every address that the host has. */
export type Webhook = { url: URL; secret: string; isAllowed(address: string): boolean };

/** Posts JSON. Rejects when it is not taken, when the host has an address that is not allowed, and when `signal` ends it. Follows no redirect. */
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
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.destroy();
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299) throw new Error(`${url.host} answered ${status}`);
}

/** As `t=SECONDS,v1=HEX`: HMAC-SHA256 of the seconds since 1970, a point, and the body. */
function signatureOf(secret: string, body: string, at: number): string {
  const seconds = Math.floor(at / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** The host is asked for once, and what was judged is what is connected to: a second answer may be another one. */
async function resolveHost({ url, isAllowed }: Webhook, signal: AbortSignal): Promise<LookupFunction> {
  const found = await orAborted(lookup(url.hostname.replaceAll(/^\[|\]$/g, ""), { all: true }), signal);
  const refused = found.find(({ address }) => !isAllowed(address));
  if (refused || found.length === 0)
    throw new Error(`${url.hostname} is at ${refused?.address ?? "no address"}, which is not a public one`);
  const { address, family } = found[0]!;
  return (_host, options, callback) => (options.all ? callback(null, found) : callback(null, address, family));
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
