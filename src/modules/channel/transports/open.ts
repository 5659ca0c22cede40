import { busyRefusal, type Refusal } from "../answer/reply.ts";
import type { ChannelDeps, Incoming, Opened } from "../exchange.ts";
import { MAX_BODY_BYTES } from "../limits.ts";
import { encodingNotSupported, notGzip, tooLarge } from "../ota-error.ts";
import { type NotUnpacked, unpackBody } from "./gzip.ts";
import { maskBody, maskUnread } from "./mask.ts";
import { openForm } from "./open-form.ts";
import { openPlain } from "./open-plain.ts";
import { type Context, unopened } from "./opened.ts";
import { recognise } from "./recognise.ts";

/** Unpacks a request, recognises its transport and reads its document. No input makes it throw. */
export async function openRequest({ messages }: ChannelDeps, incoming: Incoming): Promise<Opened> {
  const { headers, body } = incoming;
  const base = unopened(incoming);
  if (typeof body === "string") return { ...base, refusal: body === "busy" ? busyRefusal() : tooLargeRefusal(MAX_BODY_BYTES) };
  const unpacked = await unpackBody(body, headers["content-encoding"]);
  if ("problem" in unpacked) return { ...base, body: maskUnread(body), refusal: unpackRefusal(unpacked) };
  return openBody({ base, bytes: unpacked.bytes, headers, messages });
}

function openBody(context: Context): Opened {
  const { base, bytes, headers } = context;
  const recognised = recognise(bytes, headers["content-type"] ?? "");
  const body = recognised.kind === "xml" || recognised.kind === "form" ? maskBody(bytes) : maskUnread(bytes);
  const inContext = { ...context, base: { ...base, body } };
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
