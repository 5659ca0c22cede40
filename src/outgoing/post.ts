import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { request as requestHttp } from "../web/node-http.ts";
import type { AddressRule } from "./addresses.ts";
import { webhookHeaders } from "./signature.ts";

const MAX_RESPONSE_BYTES = 1_000;

export type CallTarget = { url: URL; secrets: readonly string[]; rule: AddressRule };

/** `id` identifies the event to the receiver. `at` is in milliseconds since 1970. */
export type SignedCall = { id: string; at: number; body: string; signal: AbortSignal };

/** `text` is the start of the response body. */
export type CallResponse = { status: number; text: string };

/** Posts signed JSON. Rejects if any address of the host is not allowed, or if no response arrives. Does not follow redirects. */
export async function postSigned(target: CallTarget, { id, at, body, signal }: SignedCall): Promise<CallResponse> {
  const { url, secrets } = target;
  const pinnedLookup = await resolveHost(target, signal);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "user-agent": "Roomrack",
    ...webhookHeaders({ id, at, body }, secrets),
  };
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const clientRequest = request(url, { method: "POST", headers, signal, lookup: pinnedLookup, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  clientRequest
    .on("response", resolve)
    .on("error", reject)
    .on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Error("the receiver responded with 101 Switching Protocols"));
    });
  clientRequest.end(body);
  // After a protocol upgrade, the signal no longer ends the request.
  const response = await rejectOnAbort(promise, signal);
  return { status: response.statusCode ?? 0, text: await readStart(response) };
}

/**
 * Reads the start of the response body. If the body ends early, returns the received part, because the status already shows whether the
 * call succeeded.
 */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // Ignored, because the status has already arrived.
  }
  return Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString().replaceAll("\0", "\uFFFD");
}

/** Resolves the host only once, because a second lookup could return addresses that were not checked. */
async function resolveHost({ url, rule }: CallTarget, signal: AbortSignal): Promise<LookupFunction> {
  const addresses = await rejectOnAbort(lookup(url.hostname.replaceAll(/^\[|\]$/g, ""), { all: true }), signal);
  const refusedAddress = addresses.find(({ address }) => !rule.isAllowed(address));
  if (addresses.length === 0) throw new Error(`${url.hostname} has no IP address`);
  if (refusedAddress) throw new Error(`${url.hostname} resolves to ${refusedAddress.address}, which is not a public address`);
  if (url.protocol !== "https:" && !addresses.every(({ address }) => rule.isTrusted(address)))
    throw new Error(`${url.hostname} requires https, because it is not in WEBHOOK_NETWORKS`);
  const { address, family } = addresses[0]!;
  return (_host, options, callback) => (options.all ? callback(null, addresses) : callback(null, address, family));
}

async function rejectOnAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
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
