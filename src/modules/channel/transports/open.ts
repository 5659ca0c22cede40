import { maskBody, maskUnknownBody } from "../../../secrets/mask.ts";
import { busyRefusal, type MessageRefusal } from "../answer/refusal.ts";
import { openInDialect, dialectFromHeaders } from "../dialects/index.ts";
import type { IncomingRequest, OpenedRequest } from "../exchange.ts";
import { MAX_BODY_BYTES } from "../limits.ts";
import type { HotelReference, Message } from "../message.ts";
import { withPropertyReaders } from "../messages/outline.ts";
import { encodingNotSupported, notGzip, tooLarge, tooSlow } from "../ota-error.ts";
import { DEFAULT_PROFILE } from "../profiles/profile.ts";
import { senderProfile } from "../senders/access.ts";
import { readHeaderCredentials } from "../senders/header-credentials.ts";
import type { UnreadReason } from "./body.ts";
import { type UnpackedPrefix, type UnpackFailure, unpackPrefix, unpackBody } from "./gzip.ts";
import { recogniseBody, type RecognisedBody } from "./recognise.ts";

export function unopenedRequest({ headers }: Pick<IncomingRequest, "headers">): OpenedRequest {
  return {
    transport: "none",
    dialect: dialectFromHeaders(headers),
    action: undefined,
    body: new Uint8Array(),
    isComplete: true,
    source: undefined,
    document: undefined,
    credentials: readHeaderCredentials(headers),
    refusal: undefined,
    empty: false,
  };
}

/** Unpacks a request and opens it in its dialect. Never throws. */
export async function openRequest(messages: readonly Message[], incoming: IncomingRequest): Promise<OpenedRequest> {
  const { headers, body } = incoming;
  const base = unopenedRequest(incoming);
  if (typeof body === "string") return { ...base, isComplete: false, refusal: unreadRefusal(body) };
  const unpackResult = await unpackBody(body, headers["content-encoding"]);
  if ("problem" in unpackResult) return { ...base, body: maskUnknownBody(body), refusal: unpackRefusal(unpackResult) };
  const { bytes } = unpackResult;
  const recognisedBody = recogniseBody(bytes, headers["content-type"] ?? "");
  const maskedBase = { ...base, body: maskRecognised(recognisedBody, bytes) };
  return openInDialect(
    { base: maskedBase, bytes, isComplete: true, headers, messages, profile: senderProfile(incoming.who) },
    recognisedBody,
  );
}

export type OpenedPrefix = {
  opened: OpenedRequest;
  /** The property, if the first bytes identify it. */
  hotel: HotelReference | undefined;
  toLog(): OpenedRequest;
};

/** Opens a request's first bytes to find its credentials and property. Never throws. */
export async function openPrefix(
  { headers }: Pick<IncomingRequest, "headers">,
  prefix: UnpackedPrefix,
  messages: readonly Message[],
): Promise<OpenedPrefix> {
  const base = { ...unopenedRequest({ headers }), isComplete: prefix.isComplete };
  const unpackResult = await unpackPrefix(prefix, headers["content-encoding"]);
  if ("problem" in unpackResult) {
    const unreadableRequest = { ...base, refusal: unpackRefusal(unpackResult) };
    return { opened: unreadableRequest, hotel: undefined, toLog: () => ({ ...unreadableRequest, body: maskUnknownBody(prefix.bytes) }) };
  }
  const { bytes, isComplete } = unpackResult;
  const recognisedBody = recogniseBody(bytes, headers["content-type"] ?? "", unpackResult);
  const unopenedInput = {
    base: { ...base, isComplete },
    bytes,
    isComplete,
    headers,
    messages: withPropertyReaders(messages),
    profile: DEFAULT_PROFILE,
  };
  const openedRequest = openInDialect(unopenedInput, recognisedBody);
  const request = openedRequest.document?.request;
  return {
    opened: openedRequest,
    hotel: request?.kind === "hotel" ? request.hotel : undefined,
    toLog: () => ({ ...openedRequest, body: maskRecognised(recognisedBody, bytes) }),
  };
}

function maskRecognised({ kind }: RecognisedBody, bytes: Uint8Array): Uint8Array {
  return kind === "xml" || kind === "form" ? maskBody(bytes) : maskUnknownBody(bytes);
}

function unreadRefusal(body: UnreadReason): MessageRefusal {
  if (body === "busy") return busyRefusal();
  return body === "too-slow" ? { status: 408, fault: tooSlow(), headers: { connection: "close" } } : tooLargeRefusal(MAX_BODY_BYTES);
}

function tooLargeRefusal(limit: number): MessageRefusal {
  return { status: 413, fault: tooLarge(Math.floor(limit / 1024 / 1024)) };
}

function unpackRefusal(found: UnpackFailure): MessageRefusal {
  if (found.problem === "too-large") return tooLargeRefusal(found.limit);
  if (found.problem === "unreadable") return { status: 400, fault: notGzip(), unreadable: true };
  return { status: 415, fault: encodingNotSupported(), headers: { "accept-encoding": "gzip" } };
}
