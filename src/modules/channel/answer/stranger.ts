import type { Verdict } from "../../../journal/work.ts";
import { envelopeIn } from "../dialects.ts";
import type { Admitted } from "../exchange.ts";
import { BEGINNING_BYTES } from "../limits.ts";
import { badCredentials, digestNotSupported } from "../ota-error.ts";
import type { Strangers } from "../senders/strangers.ts";
import { busyRefusal } from "./reply.ts";
import { answerWithFault, refuseOutright } from "./ruling.ts";

/** A stranger's request with what is kept of its body, and how many before it were not logged. */
type Cut = { request: Admitted; unlogged: number };

/** Nothing is kept of the body while the stranger has to wait `wait` seconds; `undefined` where the log has no room for the request. */
export function cutForStranger(admitted: Admitted, wait: number, strangers: Strangers): Cut | undefined {
  const { opened, incoming, startedAt } = admitted;
  const bytes = wait > 0 ? 0 : Math.min(opened.body.length, BEGINNING_BYTES);
  const room = strangers.admit({ remote: incoming.remote, now: startedAt, bytes });
  if (!room) return undefined;
  const body = opened.body.subarray(0, room.bytes);
  return { request: { ...admitted, opened: { ...opened, body } }, unlogged: room.unlogged };
}

/** The log entry, with what was cut of the request. */
export function noteCut(admitted: Admitted, { request, unlogged }: Cut, decided: Verdict): Verdict {
  const { body: kept } = request.opened;
  const { body, isWhole } = admitted.opened;
  const advisories = [...decided.notes.advisories];
  const isRead = isWhole || body.length > 0;
  if (!isRead) advisories.push("the sender was not let in: the message was not read");
  else if (!isWhole || kept.length < body.length)
    advisories.push(`the sender was not let in: only the first ${kept.length} bytes are kept`);
  if (unlogged > 0) advisories.push(`${unlogged} messages of strangers before this one are not in the log: too many came`);
  return { ...decided, notes: { ...decided.notes, advisories } };
}

/** The only fault that a stranger is told is an empty message. Whose message was not read may be none: the credentials may be in it. */
export function answerStranger(admitted: Admitted, wait: number): Verdict {
  const { empty, refusal } = admitted.opened;
  if (admitted.incoming.body === "busy" || admitted.incoming.body === "too-slow") return refuseOutright(admitted, refusal!);
  if (wait > 0) return { ...refuseOutright(admitted, busyRefusal(wait)), outcome: "unauthorised" };
  return empty ? refuseOutright(admitted, refusal!) : { ...refuseCredentials(admitted), outcome: "unauthorised" };
}

const CHALLENGE = { "www-authenticate": 'Basic realm="channel", charset="UTF-8"' };

/** SOAP senders and credentials in the body get a business error; everyone else a challenge. */
function refuseCredentials(admitted: Admitted): Verdict {
  const { dialect, document, refusal, credentials } = admitted.opened;
  const fault = credentials?.scheme === "wsse digest" ? digestNotSupported() : badCredentials();
  const challenged = { status: 401, fault, headers: CHALLENGE };
  const isSoap = envelopeIn(dialect) !== "none";
  if (isSoap && refusal) return refuseOutright(admitted, refusal);
  if (document?.root === undefined || refusal || dialect.name === "alpinebits") return refuseOutright(admitted, challenged);
  const isInBody = credentials !== undefined && credentials === document.credentials;
  return answerWithFault(admitted, isSoap || isInBody ? { status: 200, fault } : challenged);
}
