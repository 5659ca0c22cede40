import { maskBody, maskUnread } from "../../../secrets/mask.ts";
import { busyRefusal, type Refusal } from "../answer/reply.ts";
import type { ChannelDeps, Incoming, Opened } from "../exchange.ts";
import { MAX_BODY_BYTES } from "../limits.ts";
import { encodingNotSupported, notGzip, tooLarge, tooSlow } from "../ota-error.ts";
import type { Unread } from "./body.ts";
import { type NotUnpacked, unpackBody } from "./gzip.ts";
import { openForm } from "./open-form.ts";
import { openPlain } from "./open-plain.ts";
import { type Context, unopened } from "./opened.ts";
import { recognise, type Recognised } from "./recognise.ts";

/** Unpacks a request, recognises its transport and reads its document. No input makes it throw. */
export async function openRequest({ messages }: ChannelDeps, incoming: Incoming): Promise<Opened> {
  const { headers, body } = incoming;
  const base = unopened(incoming);
  if (typeof body === "string") return { ...base, isWhole: false, refusal: unreadRefusal(body) };
  const unpacked = await unpackBody(body, headers["content-encoding"]);
  if ("problem" in unpacked) return { ...base, body: maskUnread(body), refusal: unpackRefusal(unpacked) };
  return openBody({ base, bytes: unpacked.bytes, isWhole: true, headers, messages });
}

function openBody(context: Context): Opened {
  const { base, bytes, headers } = context;
  const recognised = recognise(bytes, headers["content-type"] ?? "");
  const body = maskRecognised(recognised, bytes);
  return openRecognised({ ...context, base: { ...base, body } }, recognised);
}

/** Reads the document in a body. */
export function openRecognised(context: Context, recognised: Recognised): Opened {
  return recognised.kind === "form" ? openForm(context, recognised) : openPlain(context, recognised);
}

/** Returns the body as the log keeps it, without secrets. */
export function maskRecognised({ kind }: Recognised, bytes: Uint8Array): Uint8Array {
  return kind === "xml" || kind === "form" ? maskBody(bytes) : maskUnread(bytes);
}

function unreadRefusal(body: Unread): Refusal {
  if (body === "busy") return busyRefusal();
  return body === "too-slow" ? { status: 408, fault: tooSlow(), headers: { connection: "close" } } : tooLargeRefusal(MAX_BODY_BYTES);
}

function tooLargeRefusal(most: number): Refusal {
  return { status: 413, fault: tooLarge(Math.floor(most / 1024 / 1024)) };
}

/** Why a body that can't be unpacked is refused. */
export function unpackRefusal(found: NotUnpacked): Refusal {
  if (found.problem === "too-large") return tooLargeRefusal(found.most);
  if (found.problem === "unreadable") return { status: 400, fault: notGzip(), unreadable: true };
  return { status: 415, fault: encodingNotSupported(), headers: { "accept-encoding": "gzip" } };
}
