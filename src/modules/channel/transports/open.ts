import { packAhead } from "../../../journal/body.ts";
import { busyRefusal, type Refusal } from "../answer/reply.ts";
import type { ChannelDeps, Incoming, Opened } from "../exchange.ts";
import { LARGE, MAX_BODY_BYTES } from "../limits.ts";
import { encodingNotSupported, notGzip, tooLarge } from "../ota-error.ts";
import { NO_TURN, type Traffic, type Turn } from "../traffic.ts";
import { mayUnpackLarge, type NotUnpacked, unpackBody, type Unpacked } from "./gzip.ts";
import { maskBody, maskUnread } from "./mask.ts";
import { openForm } from "./open-form.ts";
import { openPlain } from "./open-plain.ts";
import { type Context, unopened } from "./opened.ts";
import { recognise } from "./recognise.ts";

/** Unpacks a request, recognises its transport and reads its document. No input makes it throw. */
export async function openRequest({ messages, traffic }: ChannelDeps, incoming: Incoming): Promise<Opened> {
  const { headers, body } = incoming;
  const base = unopened(incoming);
  if (typeof body === "string") return { ...base, refusal: body === "busy" ? busyRefusal() : tooLargeRefusal(MAX_BODY_BYTES) };
  const { turn, unpacked } = await unpackInTurn(traffic, body, headers["content-encoding"]);
  try {
    if ("problem" in unpacked) return { ...base, turn, body: maskUnread(body), refusal: unpackRefusal(unpacked) };
    return await openBody({ base: { ...base, turn }, bytes: unpacked.bytes, headers, messages });
  } catch (error) {
    turn.end();
    throw error;
  }
}

/** A body that may become large waits for its turn before it is unpacked, to save memory. */
async function unpackInTurn(traffic: Traffic, body: Uint8Array, encoding: string | undefined): Promise<{ turn: Turn; unpacked: Unpacked }> {
  if (mayUnpackLarge(body, encoding)) return { turn: await traffic.takeTurn(LARGE), unpacked: await unpackBody(body, encoding) };
  const unpacked = await unpackBody(body, encoding);
  return { turn: "bytes" in unpacked ? await traffic.takeTurn(unpacked.bytes.length) : NO_TURN, unpacked };
}

function openBody(context: Context): Promise<Opened> {
  const { base, bytes, headers } = context;
  const recognised = recognise(bytes, headers["content-type"] ?? "");
  const body = recognised.kind === "xml" || recognised.kind === "form" ? maskBody(bytes) : maskUnread(bytes);
  const packed = base.turn === NO_TURN ? undefined : packAhead(body);
  const inContext = { ...context, base: { ...base, body, packed } };
  return recognised.kind === "form" ? openForm(inContext, recognised) : openPlain(inContext, recognised);
}

function tooLargeRefusal(most: number): Refusal {
  return { status: 413, fault: tooLarge(Math.floor(most / 1024 / 1024)) };
}

function unpackRefusal(found: NotUnpacked): Refusal {
  if (found.problem === "too-large") return tooLargeRefusal(found.most);
  if (found.problem === "unreadable") return { status: 400, fault: notGzip(), unreadable: true };
  return { status: 415, fault: encodingNotSupported(), headers: { "accept-encoding": "gzip" } };
}
