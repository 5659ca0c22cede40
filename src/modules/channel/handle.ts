import { stopwatch } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { isUnavailable } from "../../db/faults.ts";
import { receiveMessage } from "../../journal/receive.ts";
import type { PageRequest, Receipt, MessageWork } from "../../journal/work.ts";
import { findCodeByName } from "../../records/property/store.ts";
import { EMPTY_XML_TEXT, ValueError } from "../../web/http-error.ts";
import { busyRefusal, UNAVAILABLE_REFUSAL } from "./answer/refusal.ts";
import { respondToPlain, respondWithFault, decideRequest, refusalVerdict, refuseRequest } from "./answer/ruling.ts";
import { limitLogged, noteLogged, rejectSender } from "./answer/unauthenticated.ts";
import type { AdmittedRequest, ArrivedRequest, IncomingRequest, OpenedRequest, OutgoingResponse } from "./exchange.ts";
import { storableNights } from "./limits.ts";
import { isForThread } from "./message-threads.ts";
import type { HotelReference, HotelRequest } from "./message.ts";
import { systemError } from "./ota-error.ts";
import { type AuthenticatedClient, findHotelCode, onlyHotel, accessibleHotels } from "./senders/access.ts";
import { translateRequest } from "./senders/translated.ts";
import type { ChannelDeps, ThreadHandler } from "./traffic.ts";
import { openRequest, unopenedRequest } from "./transports/open.ts";

/**
 * Handles one message: opens, decides and stores it, and writes the response in its dialect. Refused messages are also logged, but
 * unauthenticated ones only within a quota. Never rejects.
 */
export async function handleMessage(deps: ChannelDeps, incoming: IncomingRequest): Promise<OutgoingResponse> {
  const arrivedRequest = { incoming, elapsed: stopwatch(), startedAt: deps.clock.now() };
  const { threads } = deps.traffic;
  return threads && isForThread(incoming) ? answerInThread(deps, threads, arrivedRequest) : answerArrived(deps, arrivedRequest);
}

async function answerInThread(deps: ChannelDeps, threads: ThreadHandler, arrived: ArrivedRequest): Promise<OutgoingResponse> {
  const { incoming, startedAt } = arrived;
  try {
    return await threads.handle(deps, arrived);
  } catch (error) {
    await deps.recordError(error, 503);
    return { ...unopenedRequest(incoming).dialect.refuse(UNAVAILABLE_REFUSAL, startedAt), receipt: undefined };
  }
}

export async function answerArrived(deps: ChannelDeps, arrived: ArrivedRequest): Promise<OutgoingResponse> {
  const { incoming } = arrived;
  let opened: OpenedRequest | undefined;
  try {
    opened = incoming.opened ?? (await openRequest(deps.messages, incoming));
    return await answerOpened(deps, { ...arrived, opened, who: incoming.who });
  } catch (error) {
    return await respondToError(deps, { ...arrived, opened: opened ?? unopenedRequest(incoming), who: incoming.who }, error);
  }
}

/** Responds with an internal error to a request that failed before its message was handled. Never rejects. */
export function answerFailure(deps: ChannelDeps, incoming: IncomingRequest, error: unknown): Promise<OutgoingResponse> {
  const { who } = incoming;
  return respondToError(
    deps,
    { incoming, opened: unopenedRequest(incoming), who, startedAt: deps.clock.now(), elapsed: stopwatch() },
    error,
  );
}

async function answerOpened(deps: ChannelDeps, admitted: AdmittedRequest): Promise<OutgoingResponse> {
  const { opened, who } = admitted;
  if (opened.empty) await deps.recordError(new ValueError(EMPTY_XML_TEXT), 400);
  const { refusal } = opened;
  if (who.state === "refused") return answerUnauthenticated(deps, admitted, who.wait);
  if (refusal) return journalRequest(deps, admitted, () => refuseRequest(admitted, refusal));
  const request = opened.document?.request;
  if (request?.kind === "plain") return journalRequest(deps, admitted, () => respondToPlain(admitted, request));
  if (request?.kind === "hotel") return answerHotel(deps, admitted, request);
  return journalRequest(deps, admitted, () => respondWithFault(admitted, { status: 200, fault: opened.document!.problem!.fault }));
}

async function answerUnauthenticated(deps: ChannelDeps, admitted: AdmittedRequest, wait: number): Promise<OutgoingResponse> {
  const loggedRequest = limitLogged(admitted, wait, deps.traffic.unauthenticated);
  if (!loggedRequest) return { ...rejectSender(admitted, wait).reply, receipt: undefined };
  return journalRequest(deps, loggedRequest.request, () => noteLogged(admitted, loggedRequest, rejectSender(admitted, wait)));
}

async function answerHotel(deps: ChannelDeps, admitted: AdmittedRequest, request: HotelRequest): Promise<OutgoingResponse> {
  const hotel = await findHotel(deps.database, admitted, request.hotel);
  if (hotel === undefined)
    return journalRequest(deps, admitted, (directory, id) => decideRequest(admitted, request, { hotel, directory, id }));
  const translatedRequest = await translateRequest(deps.database, request, { who: admitted.who, hotel });
  const locatedRequest = { ...admitted, hotel, request: translatedRequest };
  const answer = () =>
    journalRequest(deps, locatedRequest, (directory, id) => decideRequest(admitted, translatedRequest, { hotel, directory, id }));
  return deps.traffic.mailboxes.run(hotel, answer) ?? journalRequest(deps, admitted, () => refuseRequest(admitted, busyRefusal()));
}

/**
 * Returns the property's code, or undefined if the sender has no access. Properties that the sender can't access are not looked up, locked
 * or read.
 */
export async function findHotel(
  database: Database,
  { opened, who }: Pick<AdmittedRequest, "opened" | "who">,
  { code, name }: HotelReference,
): Promise<string | undefined> {
  if (code !== undefined) return findHotelCode(who, code);
  if (opened.dialect.requiresHotelCode) return undefined;
  return name === undefined ? onlyHotel(who) : findCodeByName(database, name, accessibleHotels(who));
}

/** `hotel` is our code for the property, if the request is for one. `request` replaces the request in the document. */
type RequestForHotel = AdmittedRequest & { hotel?: string | undefined; request?: HotelRequest };

async function journalRequest(deps: ChannelDeps, request: RequestForHotel, decide: MessageWork["decide"]): Promise<OutgoingResponse> {
  return toOutgoing(await receiveMessage(deps.database, toWork(request, decide)));
}

function toOutgoing(receipt: Receipt): OutgoingResponse {
  const { status, headers, body } = receipt.reply;
  return { status, headers: { ...headers, "x-message-id": String(receipt.id) }, body, receipt };
}

function toWork(admitted: RequestForHotel, decide: MessageWork["decide"]): MessageWork {
  const { hotel: property, incoming, opened, who, startedAt, elapsed } = admitted;
  const { document } = opened;
  const request = admitted.request ?? document?.request;
  return {
    property,
    pages: request?.kind === "hotel" ? storablePages(request, startedAt) : [],
    planDetails: request?.kind === "hotel" && request.planDetails,
    distributionOf:
      request?.kind === "hotel" && request.hasChannels ? { sender: who.state === "sender" ? who.name : undefined } : undefined,
    request: opened.body,
    received: {
      at: startedAt,
      sender: senderName(who, opened),
      claimed: who.state === "refused" && request?.kind === "hotel" ? request.hotel.code : undefined,
      via: incoming.via,
      transport: opened.transport,
      root: document?.root?.slice(0, 100),
      action: opened.action?.slice(0, 100),
      echoToken: document?.head.echoToken,
      stamp: document?.head.timeStamp?.slice(0, 64),
      remote: incoming.remote,
      lines: request?.lines ?? 0,
      dryRun: incoming.dryRun === true || document?.head.target?.trim().toLowerCase() === "test",
      elapsed,
    },
    decide,
  };
}

function storablePages({ pages }: HotelRequest, now: number): readonly PageRequest[] {
  const nights = storableNights(now);
  return pages
    .map((page) => ({ ...page, first: Math.max(page.first, nights.first), last: Math.min(page.last, nights.last) }))
    .filter(({ first, last }) => first <= last);
}

/** Returns the sender's name. If the sender is not authenticated, returns the unverified name from the request. */
function senderName(who: AuthenticatedClient, { credentials, document }: OpenedRequest): string | undefined {
  if (who.state !== "refused" && who.name !== undefined) return who.name;
  return (credentials?.name || document?.head.requestor)?.slice(0, 100);
}

/** Responds that nothing was stored. The response contains the log entry's ID. */
async function respondToError(deps: ChannelDeps, admitted: AdmittedRequest, error: unknown): Promise<OutgoingResponse> {
  const { dialect } = admitted.opened;
  if (isUnavailable(error)) {
    await deps.recordError(error, 503);
    return { ...dialect.refuse(UNAVAILABLE_REFUSAL, admitted.startedAt), receipt: undefined };
  }
  await deps.recordError(error, 500);
  const reply = (reference: string) => dialect.refuse({ status: 500, fault: dialect.systemFault(reference) }, admitted.startedAt);
  try {
    return await journalRequest(deps, admitted, (_directory, id) => {
      const reference = String(id);
      return { ...refusalVerdict(admitted, reply(reference), systemError(reference)), outcome: "failed" };
    });
  } catch {
    return { ...reply("unknown"), receipt: undefined };
  }
}
