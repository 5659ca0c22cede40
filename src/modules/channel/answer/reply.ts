import type { Reply } from "../../../journal/work.ts";
import { type Dialect, envelopeIn } from "../dialects.ts";
import { type Envelope, wrapInEnvelope, writeFault } from "../document/envelope.ts";
import { RETRY_AFTER_SECONDS } from "../limits.ts";
import { type Fault, systemBusy } from "../ota-error.ts";
import { type Answer, writeAnswer, writeErrorDocument } from "./write.ts";

/** Why a request was refused; `status` is for plain XML, envelopes and forms may differ. */
export type Refusal = { status: number; fault: Fault; headers?: Readonly<Record<string, string>>; unreadable?: boolean };

/** Too much is under way, or too much comes from one address. */
export function busyRefusal(seconds: number = RETRY_AFTER_SECONDS): Refusal {
  return { status: 429, fault: systemBusy(), headers: { "retry-after": String(seconds) } };
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Words the answer to a message. */
export function replyWithAnswer(answer: Answer, dialect: Dialect, { status, headers }: Omit<Reply, "body"> = OK): Reply {
  return withHeaders(replyWithXml(writeAnswer(answer, dialect), dialect, status), headers);
}

const OK = { status: 200, headers: {} };

/** Words a refusal: text in the form dialect, a fault for an envelope that cannot be read, else an error document. */
export function replyWithRefusal(refusal: Refusal, dialect: Dialect, now: number): Reply {
  return withHeaders(wordRefusal(refusal, dialect, now), refusal.headers);
}

function withHeaders(reply: Reply, headers: Reply["headers"] = {}): Reply {
  return { ...reply, headers: { ...reply.headers, ...GZIP, ...headers } };
}

function wordRefusal({ status, fault, unreadable }: Refusal, dialect: Dialect, now: number): Reply {
  if (dialect.name === "alpinebits") return replyWithText(`ERROR:${fault.text}`, status);
  if (dialect.envelope === "none" || !unreadable) return replyWithXml(writeErrorDocument(fault, now), dialect, status);
  const body = DECLARATION + writeFault(fault.text, dialect.envelope);
  return {
    status: dialect.envelope === "soap11" && status === 400 ? 500 : status,
    headers: { "content-type": TYPES[dialect.envelope] },
    body: encode(body),
  };
}

function replyWithXml(document: string, dialect: Dialect, status: number): Reply {
  const envelope = envelopeIn(dialect);
  const body = envelope === "none" ? document : wrapInEnvelope(document, envelope);
  return { status, headers: { "content-type": TYPES[envelope] }, body: encode(DECLARATION + body) };
}

function replyWithText(text: string, status: number): Reply {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: encode(text) };
}

/** Tells, with every answer, that requests may be compressed; the name is that of AlpineBits. */
const GZIP = { "x-alpinebits-server-accept-encoding": "gzip" };

const TYPES: Readonly<Record<Envelope, string>> = {
  none: "application/xml; charset=utf-8",
  soap11: "text/xml; charset=utf-8",
  soap12: "application/soap+xml; charset=utf-8",
};

function encode(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}
