import { busyRefusal, type MessageRefusal } from "./answer/refusal.ts";
import type { IncomingRequest, OpenedRequest, OutgoingResponse } from "./exchange.ts";
import { answerFailure, findHotel, handleMessage } from "./handle.ts";
import { type AuthenticatedClient, senderProfile, accessibleHotels, type SenderAccess } from "./senders/access.ts";
import { readHeaderCredentials } from "./senders/header-credentials.ts";
import type { SenderRate, SenderSlots } from "./senders/quotas.ts";
import { type ChannelDeps } from "./traffic.ts";
import type { RequestBody, UnreadReason } from "./transports/body.ts";
import { openPrefix, type OpenedPrefix, unopenedRequest } from "./transports/open.ts";

export type ReceiveDeps = ChannelDeps & {
  access: Pick<SenderAccess, "authenticate" | "mayReadBody">;
  slots: SenderSlots;
  rate: SenderRate;
};

/** A request whose body has not been read yet. `open` means that it needs no credentials as long as there are no senders. */
export type ArrivingRequest = Pick<IncomingRequest, "headers" | "remote"> & { body: RequestBody; open: boolean };

type IdentifiedSender = { who: AuthenticatedClient; prefix?: OpenedPrefix | UnreadReason };

/**
 * Identifies a request's sender and handles its message. Reads the whole message only if the sender is known and has access to the
 * property. Rejects if the connection breaks before the whole body has arrived.
 */
export async function receiveRequest(deps: ReceiveDeps, arrival: ArrivingRequest): Promise<OutgoingResponse> {
  const { body } = arrival;
  try {
    const identifiedClient = await identifySender(deps, arrival);
    return await (identifiedClient.who.state === "refused"
      ? refuseUnidentified(deps, arrival, identifiedClient)
      : admitRequest(deps, arrival, identifiedClient));
  } catch (error) {
    if (body.isBroken) throw error;
    return await answerFailure(deps, toIncoming(arrival, { who: { state: "refused", wait: 0 } }), error);
  } finally {
    body.release();
  }
}

/** Checks the credentials in the headers before reading the body. If there are none, looks for them at the start of the body. */
async function identifySender(deps: ReceiveDeps, arrival: ArrivingRequest): Promise<IdentifiedSender> {
  const { authenticate, mayReadBody } = deps.access;
  const { headers, open, remote } = arrival;
  const credentials = readHeaderCredentials(headers);
  const who = await authenticate({ credentials, open, remote });
  if (who.state !== "refused" || who.wait > 0) return { who };
  if (!credentials && !mayReadBody(remote)) return { who };
  const prefix = await readPrefix(deps, arrival);
  const isSecretInBody = credentials === undefined && typeof prefix !== "string" ? prefix.opened.credentials : undefined;
  return { who: isSecretInBody ? await authenticate({ credentials: isSecretInBody, open, remote }) : who, prefix };
}

async function readPrefix({ messages }: ReceiveDeps, arrival: ArrivingRequest): Promise<OpenedPrefix | UnreadReason> {
  const bytes = await arrival.body.readPrefix();
  return typeof bytes === "string" ? bytes : openPrefix(arrival, { bytes, isComplete: arrival.body.isComplete }, messages);
}

function refuseUnidentified(deps: ReceiveDeps, arrival: ArrivingRequest, { who, prefix }: IdentifiedSender): Promise<OutgoingResponse> {
  if (typeof prefix === "string") return handleMessage(deps, toIncoming(arrival, { who, body: prefix }));
  return handleMessage(deps, toIncoming(arrival, { who, opened: prefix?.toLog() ?? unreadRequest(arrival) }));
}

async function admitRequest(deps: ReceiveDeps, arrival: ArrivingRequest, identified: IdentifiedSender): Promise<OutgoingResponse> {
  const { who } = identified;
  arrival.body.admit();
  const waitSeconds = who.state === "sender" ? deps.rate.take(who.name, deps.clock.now()) : 0;
  if (waitSeconds > 0) return refuseBusy(deps, arrival, { who, refusal: busyRefusal(waitSeconds) });
  const releaseSlot = who.state === "sender" ? deps.slots.take(who.name) : () => {};
  if (!releaseSlot) return refuseBusy(deps, arrival, { who, refusal: busyRefusal() });
  try {
    return await handleMessage(deps, toIncoming(arrival, { who, ...(await readInSlot(deps, arrival, identified)) }));
  } finally {
    releaseSlot();
  }
}

async function readInSlot(deps: ReceiveDeps, arrival: ArrivingRequest, identified: IdentifiedSender): Promise<Partial<IncomingRequest>> {
  const { who } = identified;
  try {
    return await readMessage(deps, arrival, identified);
  } finally {
    if (who.state === "sender") deps.rate.countBytes(who.name, arrival.body.length, deps.clock.now());
  }
}

function refuseBusy(
  deps: ReceiveDeps,
  arrival: ArrivingRequest,
  { who, refusal }: { who: AuthenticatedClient; refusal: MessageRefusal },
): Promise<OutgoingResponse> {
  return handleMessage(deps, toIncoming(arrival, { who, opened: { ...unreadRequest(arrival), refusal } }));
}

async function readMessage(
  deps: ReceiveDeps,
  arrival: ArrivingRequest,
  { who, prefix: known }: IdentifiedSender,
): Promise<Partial<IncomingRequest>> {
  if (accessibleHotels(who)) {
    const prefix = known ?? (await readPrefix(deps, arrival));
    if (typeof prefix === "string") return { body: prefix };
    if (await isOutOfScope(deps, who, prefix)) return { opened: outOfScopeRequest(prefix) };
  }
  return { body: await arrival.body.readAll() };
}

async function isOutOfScope(
  { database }: ReceiveDeps,
  who: AuthenticatedClient,
  { opened: openedRequest, hotel }: OpenedPrefix,
): Promise<boolean> {
  // The start of the body was parsed before the sender's profile was known, so its property counts only if the profile reads the property
  // from `HotelCode`.
  if (!hotel || senderProfile(who).hotelCode !== "HotelCode") return false;
  const isNamed = hotel.code !== undefined || (hotel.name !== undefined && !openedRequest.dialect.requiresHotelCode);
  return isNamed && !openedRequest.refusal && (await findHotel(database, { opened: openedRequest, who }, hotel)) === undefined;
}

function outOfScopeRequest(prefix: OpenedPrefix): OpenedRequest {
  const openedRequest = prefix.toLog();
  if (!openedRequest.isComplete)
    openedRequest.document!.report.advise(
      `sender without access to the property: only the first ${openedRequest.body.length} bytes were read`,
    );
  return openedRequest;
}

function toIncoming({ headers, remote }: ArrivingRequest, known: Pick<IncomingRequest, "who"> & Partial<IncomingRequest>): IncomingRequest {
  return { headers, remote, via: "channel", body: new Uint8Array(), ...known };
}

function unreadRequest(arrival: ArrivingRequest): OpenedRequest {
  return { ...unopenedRequest(arrival), isComplete: false };
}
