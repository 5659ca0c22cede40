import { envelopeIn } from "../dialects.ts";
import type { Admitted } from "../exchange.ts";
import { KEPT_OF_STRANGERS_BYTES } from "../limits.ts";
import { badCredentials, digestNotSupported } from "../ota-error.ts";
import { busyRefusal } from "./reply.ts";
import { answerWithFault, type Decided, refuseOutright } from "./ruling.ts";

/** A stranger's request with its body cut to what is kept: nothing while the stranger has to wait `wait` seconds. */
export function cutForStranger(admitted: Admitted, wait: number): Admitted {
  const body = admitted.opened.body.subarray(0, wait > 0 ? 0 : KEPT_OF_STRANGERS_BYTES);
  return { ...admitted, opened: { ...admitted.opened, body, packed: undefined } };
}

/** The answer to a stranger, and its log entry; `kept` is the request after the cut. */
export function ruleOnStranger(admitted: Admitted, kept: Admitted, wait: number): Decided {
  const decided = rulingOn(admitted, wait);
  const [left, sent] = [kept.opened.body.length, admitted.opened.body.length];
  if (left === sent) return decided;
  const advisory = `the sender was not let in: only the first ${left} of ${sent} bytes are kept`;
  return { ...decided, notes: { ...decided.notes, advisories: [...decided.notes.advisories, advisory] } };
}

/** The only fault that a stranger is told is an empty message. */
function rulingOn(admitted: Admitted, wait: number): Decided {
  const { empty, refusal } = admitted.opened;
  if (wait > 0) return { ...refuseOutright(admitted, busyRefusal(wait)), outcome: "unauthorised" };
  return empty ? refuseOutright(admitted, refusal!) : { ...refuseCredentials(admitted), outcome: "unauthorised" };
}

const CHALLENGE = { "www-authenticate": 'Basic realm="channel", charset="UTF-8"' };

/** SOAP senders and credentials in the body get a business error; everyone else a challenge. */
function refuseCredentials(admitted: Admitted): Decided {
  const { dialect, document, refusal, credentials } = admitted.opened;
  const fault = credentials?.scheme === "wsse digest" ? digestNotSupported() : badCredentials();
  const challenged = { status: 401, fault, headers: CHALLENGE };
  const isSoap = envelopeIn(dialect) !== "none";
  if (isSoap && refusal) return refuseOutright(admitted, refusal);
  if (document?.root === undefined || refusal || dialect.name === "alpinebits") return refuseOutright(admitted, challenged);
  const isInBody = credentials !== undefined && credentials === document.credentials;
  return answerWithFault(admitted, isSoap || isInBody ? { status: 200, fault } : challenged);
}
