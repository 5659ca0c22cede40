import { stopwatch } from "../../clock.ts";
import { isUnavailable } from "../../db/faults.ts";
import { receive } from "../../journal/receive.ts";
import type { Directory, Receipt, Work } from "../../journal/work.ts";
import { EMPTY_XML, ValueError } from "../../web/http-error.ts";
import { findCodeByName } from "../property/store.ts";
import { deciderOf, isLong } from "./answer/decider.ts";
import { busyRefusal, type Refusal, type Reply, replyWithRefusal } from "./answer/reply.ts";
import { answerPlainly, answerWithFault, type Decided, isLate, refuse, refuseOutright } from "./answer/ruling.ts";
import { storablePages } from "./answer/storable-pages.ts";
import { answerStranger, cutForStranger, noteCut } from "./answer/stranger.ts";
import { isHotelCodeRequired } from "./dialects.ts";
import type { Admitted, ChannelDeps, Incoming, Opened, Outgoing } from "./exchange.ts";
import type { HotelRequest } from "./message.ts";
import { messageNotSupported, systemError, systemUnavailable } from "./ota-error.ts";
import type { Authenticated } from "./senders/access.ts";
import { noteOrder } from "./senders/stamps.ts";
import { openRequest } from "./transports/open.ts";
import { unopened } from "./transports/opened.ts";

/**
 * Handles one message: recognises, admits, decides, stores and answers it in its own dialect.
 * Every message is logged, also a refused one; of strangers as many as there is room for. Never rejects.
 */
export async function handleMessage(deps: ChannelDeps, incoming: Incoming): Promise<Outgoing> {
  const elapsed = stopwatch();
  const startedAt = deps.clock.now();
  let opened: Opened | undefined;
  try {
    opened = await openRequest(deps, incoming);
    const who = await deps.authenticate({ credentials: opened.credentials, open: incoming.open, remote: incoming.remote });
    return await answerOpened(deps, { incoming, opened, who, startedAt, elapsed });
  } catch (error) {
    return await fail(deps, { incoming, opened: opened ?? unopened(incoming), who: UNKNOWN, startedAt, elapsed }, error);
  } finally {
    opened?.turn.end();
  }
}

/** The credentials were not checked yet. */
const UNKNOWN: Authenticated = { state: "refused", wait: 0 };

async function answerOpened(deps: ChannelDeps, admitted: Admitted): Promise<Outgoing> {
  const { opened, who } = admitted;
  if (opened.empty) await deps.recordError(new ValueError(EMPTY_XML), 400);
  const { refusal } = opened;
  if (who.state === "refused") return refuseStranger(deps, admitted, who.wait);
  if (refusal) return journal(deps, admitted, () => refuseOutright(admitted, refusal));
  const request = opened.document?.request;
  if (request?.kind === "plain") return journal(deps, admitted, () => answerPlainly(admitted, request));
  if (request?.kind === "hotel") return answerHotel(deps, admitted, request);
  return journal(deps, admitted, () => answerWithFault(admitted, { status: 200, fault: messageNotSupported(opened.document!.root!) }));
}

/** Answers a stranger, and logs as much of the message as strangers may leave. */
async function refuseStranger(deps: ChannelDeps, admitted: Admitted, wait: number): Promise<Outgoing> {
  const cut = cutForStranger(admitted, wait, deps.traffic.strangers);
  if (!cut) return { ...answerStranger(admitted, wait).reply, receipt: undefined };
  return journal(deps, cut.request, () => noteCut(admitted, cut, answerStranger(admitted, wait)));
}

async function answerHotel(deps: ChannelDeps, admitted: Admitted, request: HotelRequest): Promise<Outgoing> {
  const hotel = await hotelOf(deps, admitted, request);
  if (hotel === undefined) return answerRequest(deps, admitted, request);
  const leave = deps.traffic.joinQueue(hotel);
  if (leave === undefined) return journal(deps, admitted, () => refuseOutright(admitted, busyRefusal()));
  const turn = await standAside(deps, admitted, deps.traffic.takeTurnOf(hotel, isLong(request)));
  try {
    noteOrder(deps.traffic, admitted, hotel);
    const located = { ...admitted, hotel };
    return await (request.load ? answerPull(deps, located, request) : answerRequest(deps, located, request));
  } finally {
    turn.end();
    leave();
  }
}

/** Answers a request whose decision needs more than the directory: what its `load` reads. */
async function answerPull(deps: ChannelDeps, located: Located, request: HotelRequest): Promise<Outgoing> {
  const place = await standAside(deps, located, deps.traffic.takePull());
  try {
    const loaded = isLate(located) ? {} : await request.load!(deps.database, located.hotel!, located.startedAt);
    return await answerRequest(deps, located, { ...request, ...loaded });
  } finally {
    place.end();
  }
}

async function answerRequest(deps: ChannelDeps, located: Located, request: HotelRequest): Promise<Outgoing> {
  return journal(deps, located, await deciderOf(deps.database, located, { request, hotel: located.hotel }));
}

function standAside<T>({ traffic }: ChannelDeps, { opened: { turn, body } }: Admitted, waiting: Promise<T>): Promise<T> {
  return traffic.standAside(turn, body.length, waiting);
}

async function hotelOf(deps: ChannelDeps, { opened }: Admitted, { hotel }: HotelRequest): Promise<string | undefined> {
  const { code, name } = hotel;
  if (code !== undefined || name === undefined || isHotelCodeRequired(opened.dialect)) return code;
  return deps.traffic.codes.find(name, () => findCodeByName(deps.database, name));
}

/** A request with its hotel, when that can be locked. */
type Located = Admitted & { hotel?: string };

type Decide = (directory: Directory, id: number) => Decided;

/** Hands the message to the journal and answers what was decided there. */
async function journal(deps: ChannelDeps, admitted: Located, decide: Decide): Promise<Outgoing> {
  let reply: Reply | undefined;
  const work = workOf(admitted, (directory, id) => {
    const { reply: decided, ...verdict } = decide(directory, id);
    admitted.opened.turn.end();
    reply = decided;
    return { ...verdict, status: decided.status, answer: decided.body };
  });
  const receipt = await standAside(deps, admitted, receive(deps.database, work));
  return outgoing(reply!, receipt);
}

function outgoing({ status, headers, body }: Reply, receipt: Receipt): Outgoing {
  return { status, headers: { ...headers, "x-message-id": String(receipt.id) }, body, receipt };
}

function workOf(admitted: Located, decide: Work["decide"]): Work {
  const { hotel: property, incoming, opened, who, startedAt, elapsed } = admitted;
  const { document } = opened;
  const request = document?.request;
  return {
    property,
    pages: property === undefined || request?.kind !== "hotel" ? [] : storablePages(request, startedAt),
    planDetails: request?.kind === "hotel" && request.planDetails,
    request: opened.body,
    packed: opened.packed,
    received: {
      at: startedAt,
      sender: senderOf(who, opened),
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

/** Falls back to a name that was not verified. */
function senderOf(who: Authenticated, { credentials, document }: Opened): string | undefined {
  if (who.state !== "refused" && who.name !== undefined) return who.name;
  return (credentials?.name || document?.head.requestor)?.slice(0, 100);
}

/** Not even the log can be written. */
const UNAVAILABLE: Refusal = { status: 503, fault: systemUnavailable(), headers: { "retry-after": "30" } };

/** Answers that nothing was stored, with the log entry's id to quote. */
async function fail(deps: ChannelDeps, admitted: Admitted, error: unknown): Promise<Outgoing> {
  const { dialect } = admitted.opened;
  if (isUnavailable(error)) {
    await deps.recordError(error, 503);
    return { ...replyWithRefusal(UNAVAILABLE, dialect, admitted.startedAt), receipt: undefined };
  }
  await deps.recordError(error, 500);
  const replyWithReference = (reference: string) => {
    const text = dialect.name === "alpinebits" ? `internal error [rid=${reference}]` : undefined;
    const fault = systemError(reference);
    return replyWithRefusal({ status: 500, fault: text ? { ...fault, text } : fault }, dialect, admitted.startedAt);
  };
  try {
    return await journal(deps, admitted, (_directory, id) => ({
      ...refuse(admitted, replyWithReference(String(id)), systemError(String(id))),
      outcome: "failed",
    }));
  } catch {
    return { ...replyWithReference("unknown"), receipt: undefined };
  }
}
