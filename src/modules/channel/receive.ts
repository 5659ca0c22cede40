import { findCodeByName } from "../../records/property/store.ts";
import { readAuthorization } from "../../web/guard/user.ts";
import { busyRefusal } from "./answer/reply.ts";
import { isHotelCodeRequired } from "./dialects.ts";
import type { ChannelDeps, Incoming, Opened, Outgoing } from "./exchange.ts";
import { answerFailure, handleMessage } from "./handle.ts";
import { type Authenticated, mayTouch, scopeOf } from "./senders/access.ts";
import type { Places } from "./senders/places.ts";
import type { SenderAccess } from "./senders/verify.ts";
import type { Body, Unread } from "./transports/body.ts";
import { openBeginning, type OpenedBeginning } from "./transports/open-beginning.ts";
import { unopened } from "./transports/opened.ts";

/** Handling messages, and what is needed before. */
export type ReceiveDeps = ChannelDeps & { access: Pick<SenderAccess, "authenticate" | "isWorthReading">; places: Places };

/** A request of which only the head was read. `open`: it needs no credentials while there is no sender. */
export type Arrival = Pick<Incoming, "headers" | "remote"> & { body: Body; open: boolean };

/** Who sent a request, and its beginning if that was needed to find out. */
type Sent = { who: Authenticated; beginning?: OpenedBeginning | Unread };

/**
 * Finds out who sent a request and has its message handled. Only a known sender's message is read whole, and only if it is for a property
 * that the sender has access to. Rejects if the connection breaks before the body has arrived.
 */
export async function receiveRequest(deps: ReceiveDeps, arrival: Arrival): Promise<Outgoing> {
  const { body } = arrival;
  try {
    const sent = await identify(deps, arrival);
    return await (sent.who.state === "refused" ? refuse(deps, arrival, sent) : admit(deps, arrival, sent));
  } catch (error) {
    if (body.isBroken) throw error;
    return await answerFailure(deps, incomingOf(arrival, { who: { state: "refused", wait: 0 } }), error);
  } finally {
    body.release();
  }
}

/** Credentials in the head are checked before anything is read; without any they must be in the beginning of the body. */
async function identify(deps: ReceiveDeps, arrival: Arrival): Promise<Sent> {
  const { authenticate, isWorthReading } = deps.access;
  const { headers, open, remote } = arrival;
  const credentials = readAuthorization(headers.authorization);
  const who = await authenticate({ credentials, open, remote });
  if (who.state !== "refused" || who.wait > 0) return { who };
  if (!credentials && !isWorthReading(remote)) return { who };
  const beginning = await readBeginning(deps, arrival);
  const inBody = credentials === undefined && typeof beginning !== "string" ? beginning.opened.credentials : undefined;
  return { who: inBody ? await authenticate({ credentials: inBody, open, remote }) : who, beginning };
}

async function readBeginning({ messages }: ReceiveDeps, arrival: Arrival): Promise<OpenedBeginning | Unread> {
  const bytes = await arrival.body.beginning();
  return typeof bytes === "string" ? bytes : openBeginning(arrival, { bytes, isWhole: arrival.body.isWhole }, messages);
}

function refuse(deps: ReceiveDeps, arrival: Arrival, { who, beginning }: Sent): Promise<Outgoing> {
  if (typeof beginning === "string") return handleMessage(deps, incomingOf(arrival, { who, body: beginning }));
  return handleMessage(deps, incomingOf(arrival, { who, opened: beginning?.toLog() ?? unread(arrival) }));
}

async function admit(deps: ReceiveDeps, arrival: Arrival, sent: Sent): Promise<Outgoing> {
  const { who } = sent;
  arrival.body.admit();
  const leave = who.state === "sender" ? deps.places.take(who.name) : () => {};
  if (!leave) return handleMessage(deps, incomingOf(arrival, { who, opened: { ...unread(arrival), refusal: busyRefusal() } }));
  try {
    return await handleMessage(deps, incomingOf(arrival, { who, ...(await readMessage(deps, arrival, sent)) }));
  } finally {
    leave();
  }
}

/** Reads the whole message, or only its beginning if the sender has no access to the property. */
async function readMessage(deps: ReceiveDeps, arrival: Arrival, { who, beginning: known }: Sent): Promise<Partial<Incoming>> {
  if (scopeOf(who)) {
    const beginning = known ?? (await readBeginning(deps, arrival));
    if (typeof beginning === "string") return { body: beginning };
    if (await isOutOfScope(deps, who, beginning)) return { opened: outOfScope(beginning) };
  }
  return { body: await arrival.body.whole() };
}

/** Whether a message is for a property that its sender has no access to. */
async function isOutOfScope({ database }: ReceiveDeps, who: Authenticated, { opened, hotel }: OpenedBeginning): Promise<boolean> {
  const { code, name } = hotel;
  if (opened.refusal) return false;
  if (code !== undefined) return !mayTouch(who, code);
  if (name === undefined || isHotelCodeRequired(opened.dialect)) return false;
  return (await findCodeByName(database, name, scopeOf(who))) === undefined;
}

function outOfScope(beginning: OpenedBeginning): Opened {
  const opened = beginning.toLog();
  if (!opened.isWhole) opened.document!.report.advise(`the sender has no access: only the first ${opened.body.length} bytes were read`);
  return opened;
}

function incomingOf({ headers, remote }: Arrival, known: Pick<Incoming, "who"> & Partial<Incoming>): Incoming {
  return { headers, remote, via: "channel", body: new Uint8Array(), ...known };
}

/** A request whose body is left alone. */
function unread(arrival: Arrival): Opened {
  return { ...unopened(arrival), isWhole: false };
}
