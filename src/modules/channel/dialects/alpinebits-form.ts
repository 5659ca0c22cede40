import { decodeXml } from "../../../xml/decode.ts";
import type { MessageRefusal } from "../answer/refusal.ts";
import { type MessageDocument, readDocument } from "../document/read.ts";
import { isReservation, isUnreadable } from "../document/root.ts";
import type { OpenedRequest } from "../exchange.ts";
import type { Message } from "../message.ts";
import { emptyBody, type Fault, note, notWellFormed, reservationAction, unknownAction } from "../ota-error.ts";
import type { FormPart } from "../transports/form.ts";
import { type FormBody, recogniseBody } from "../transports/recognise.ts";
import { ALPINEBITS_VERSIONS, alpineBits, type AlpineBitsVersion, isWithinRange, findVersion, NEWEST_VERSION } from "./alpinebits.ts";
import { type DialectFamily, type UnopenedRequest, withRefusal } from "./family.ts";

const VERSION_HEADER = "x-alpinebits-clientprotocolversion";

export const alpineBitsFamily: DialectFamily = {
  fromHeaders(headers) {
    const version = headers[VERSION_HEADER];
    return hasAlpineBitsHeaders(headers)
      ? alpineBits(findVersion(version) ?? NEWEST_VERSION, { strict: version !== undefined })
      : undefined;
  },
  open(unopened, body) {
    const { base, headers, isComplete } = unopened;
    if (body.kind === "form") return openForm(unopened, body);
    if (!hasAlpineBitsHeaders(headers)) return undefined;
    if (body.kind === "broken-form") return withRefusal(base, 400, note("the form cannot be read: bad or missing boundary"));
    if (body.kind === "other") return withRefusal(base, 415, note("the content type is not supported; send multipart/form-data"));
    return body.kind === "empty" && isComplete ? { ...withRefusal(base, 400, unknownAction()), empty: true } : undefined;
  },
};

function hasAlpineBitsHeaders(headers: UnopenedRequest["headers"]): boolean {
  return headers[VERSION_HEADER] !== undefined || headers["content-type"]?.toLowerCase().startsWith("multipart/") === true;
}

function openForm({ base, headers, messages, isComplete, profile }: UnopenedRequest, form: FormBody): OpenedRequest {
  const sentVersion = headers[VERSION_HEADER];
  const version = findVersion(sentVersion);
  const isStrict = sentVersion !== undefined;
  const openedRequest: OpenedRequest = {
    ...base,
    transport: form.transport,
    dialect: alpineBits(version ?? NEWEST_VERSION, { strict: isStrict }),
    action: form.action,
  };
  if (isStrict && !version) return withRefusal(openedRequest, 400, note(UNKNOWN_VERSION_TEXT));
  if (form.duplicate !== undefined) return withRefusal(openedRequest, 400, note(`the form has more than one ${form.duplicate}`));
  const message = messages.find(({ actions }) =>
    actions.some((one) => one.action === form.action && (!version || isWithinRange(version, one))),
  );
  // If only the start of the form was read, the action or the message may be in the rest.
  if (!message && (isComplete || form.action !== undefined)) return withRefusal(openedRequest, 400, actionFault(form.action));
  const request = form.request ?? (isComplete ? MISSING_REQUEST_PART : undefined);
  if (!request) return openedRequest;
  const effectiveVersion = version ?? assumedVersion(message, form.action);
  const openedMessage = openMessage({ ...openedRequest, dialect: alpineBits(effectiveVersion, { strict: isStrict }) }, request, {
    message,
    messages,
    isComplete,
    profile,
  });
  if (!version) openedMessage.document?.report.advise(`no protocol version was sent; ${effectiveVersion} was assumed`);
  return openedMessage;
}

/** The part of an action before the colon is the message name. */
function actionFault(action = ""): Fault {
  return isReservation(`${action.split(":", 1)[0]}RQ`) ? reservationAction(action) : unknownAction();
}

const UNKNOWN_VERSION_TEXT = `your current alpinebits version does not match one of the servers supported versions ${ALPINEBITS_VERSIONS.join(", ")}`;

const MISSING_REQUEST_PART: FormPart = { name: "request", content: new Uint8Array() };

function assumedVersion(message: Message | undefined, name: string | undefined): AlpineBitsVersion {
  const action = message?.actions.find((one) => one.action === name);
  return ALPINEBITS_VERSIONS.findLast((version) => action && isWithinRange(version, action)) ?? NEWEST_VERSION;
}

type MessageCandidates = Pick<UnopenedRequest, "messages" | "isComplete" | "profile"> & { message: Message | undefined };

function openMessage(openedRequest: OpenedRequest, { content, type }: FormPart, candidates: MessageCandidates): OpenedRequest {
  const { message, messages, isComplete, profile } = candidates;
  if (recogniseBody(content, "").kind === "empty") return { ...withRefusal(openedRequest, 400, emptyBody()), empty: true };
  const decodedXml = decodeXml(content, type, { isComplete });
  if ("fault" in decodedXml) return withRefusal(openedRequest, 400, notWellFormed(decodedXml.at, decodedXml.fault));
  const { dialect, action } = openedRequest;
  const document = readDocument({ ...decodedXml, dialect, messages, isComplete, action, profile });
  const credentials = openedRequest.credentials ?? document.credentials;
  return { ...openedRequest, source: decodedXml.source, document, credentials, refusal: findRefusal(document, message, action) };
}

/** An unreadable document takes precedence over a message that does not match its action. */
function findRefusal(
  { root, problem }: MessageDocument,
  message: Message | undefined,
  action: string | undefined,
): MessageRefusal | undefined {
  const isMismatch = message && root !== undefined && root !== message.root && !isUnreadable(problem);
  if (isMismatch) return { status: 400, fault: note(`action ${action} does not match message ${root}`) };
  return problem && { status: 400, fault: problem.fault };
}
