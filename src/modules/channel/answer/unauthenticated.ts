import type { MessageVerdict } from "../../../journal/work.ts";
import type { AdmittedRequest } from "../exchange.ts";
import { MAX_PREFIX_BYTES } from "../limits.ts";
import { badCredentials, badDigest } from "../ota-error.ts";
import type { UnauthenticatedQuota } from "../senders/quotas.ts";
import { busyRefusal } from "./refusal.ts";
import { respondWithFault, refuseRequest } from "./ruling.ts";

/** A request with its body cut to the part to log, and the number of requests that were skipped before it. */
type LoggedRequest = { request: AdmittedRequest; unlogged: number };

/**
 * Limits what is logged for an unauthenticated request. During a lockout, the body is not logged. Returns undefined if the log quota is
 * used up.
 */
export function limitLogged(admitted: AdmittedRequest, wait: number, quota: UnauthenticatedQuota): LoggedRequest | undefined {
  const { opened, incoming, startedAt } = admitted;
  const bytes = wait > 0 ? 0 : Math.min(opened.body.length, MAX_PREFIX_BYTES);
  const room = quota.take({ remote: incoming.remote, now: startedAt, bytes });
  if (!room) return undefined;
  const body = opened.body.subarray(0, room.bytes);
  return { request: { ...admitted, opened: { ...opened, body } }, unlogged: room.unlogged };
}

export function noteLogged(admitted: AdmittedRequest, { request, unlogged }: LoggedRequest, decided: MessageVerdict): MessageVerdict {
  const { body: kept } = request.opened;
  const { body, isComplete } = admitted.opened;
  const advisories = [...decided.notes.advisories];
  const isRead = isComplete || body.length > 0;
  if (!isRead) advisories.push("unauthenticated sender: message not read");
  else if (!isComplete || kept.length < body.length)
    advisories.push(`unauthenticated sender: only the first ${kept.length} bytes are kept`);
  if (unlogged > 0) advisories.push(`${unlogged} earlier unauthenticated messages were not logged, because too many arrived`);
  const { who } = admitted;
  if (who.state === "refused" && who.reason !== undefined) advisories.push(`credentials: ${who.reason}`);
  return { ...decided, notes: { ...decided.notes, advisories } };
}

/**
 * Refuses a request whose sender is unknown. An empty message is reported, but no other fault is: an unread body may contain the
 * credentials, so it is not checked.
 */
export function rejectSender(admitted: AdmittedRequest, wait: number): MessageVerdict {
  const { empty, refusal } = admitted.opened;
  if (admitted.incoming.body === "busy" || admitted.incoming.body === "too-slow") return refuseRequest(admitted, refusal!);
  if (wait > 0) return { ...refuseRequest(admitted, busyRefusal(wait)), outcome: "unauthorised" };
  return empty ? refuseRequest(admitted, refusal!) : { ...refuseCredentials(admitted), outcome: "unauthorised" };
}

const CHALLENGE_HEADERS = { "www-authenticate": 'Basic realm="channel", charset="UTF-8"' };

/**
 * Refuses missing or invalid credentials with an HTTP challenge. If the dialect does not use HTTP challenges or the credentials are in the
 * message, returns an error response with status 200.
 */
function refuseCredentials(admitted: AdmittedRequest): MessageVerdict {
  const { dialect, document, refusal, credentials } = admitted.opened;
  const fault = credentials?.scheme === "wsse digest" ? badDigest() : badCredentials();
  const challenge = { status: 401, fault, headers: CHALLENGE_HEADERS };
  if (!dialect.usesHttpChallenge && refusal) return refuseRequest(admitted, refusal);
  if (document?.root === undefined || refusal || !dialect.refusesInOwnResponse) return refuseRequest(admitted, challenge);
  const isInBody = credentials !== undefined && credentials === document.credentials;
  return respondWithFault(admitted, dialect.usesHttpChallenge && !isInBody ? challenge : { status: 200, fault });
}
