import { decodeXml } from "../../../xml/decode.ts";
import type { Refusal } from "../answer/refusal.ts";
import { type Document, readDocument } from "../document/read.ts";
import { isReservation, isUnreadable } from "../document/root.ts";
import type { Opened } from "../exchange.ts";
import type { Message } from "../message.ts";
import { emptyBody, type Fault, note, notWellFormed, reservationAction, unknownAction } from "../ota-error.ts";
import type { FormPart } from "../transports/form.ts";
import { type Form, recognise } from "../transports/recognise.ts";
import { ALPINEBITS_VERSIONS, alpineBits, type AlpineBitsVersion, isWithin, knownVersion, NEWEST } from "./alpinebits.ts";
import { type DialectFamily, type Opening, refused } from "./family.ts";

const VERSION_HEADER = "x-alpinebits-clientprotocolversion";

export const alpineBitsFamily: DialectFamily = {
  promisedBy(headers) {
    const version = headers[VERSION_HEADER];
    return isPromised(headers) ? alpineBits(knownVersion(version) ?? NEWEST, { strict: version !== undefined }) : undefined;
  },
  open(opening, body) {
    const { base, headers, isWhole } = opening;
    if (body.kind === "form") return openForm(opening, body);
    if (!isPromised(headers)) return undefined;
    if (body.kind === "broken-form") return refused(base, 400, note("the form cannot be read: bad or missing boundary"));
    if (body.kind === "other") return refused(base, 415, note("the content type is not supported; send multipart/form-data"));
    return body.kind === "empty" && isWhole ? { ...refused(base, 400, unknownAction()), empty: true } : undefined;
  },
};

function isPromised(headers: Opening["headers"]): boolean {
  return headers[VERSION_HEADER] !== undefined || headers["content-type"]?.toLowerCase().startsWith("multipart/") === true;
}

function openForm({ base, headers, messages, isWhole, profile }: Opening, form: Form): Opened {
  const sentVersion = headers[VERSION_HEADER];
  const version = knownVersion(sentVersion);
  const strict = sentVersion !== undefined;
  const opened: Opened = { ...base, transport: form.transport, dialect: alpineBits(version ?? NEWEST, { strict }), action: form.action };
  if (strict && !version) return refused(opened, 400, note(UNKNOWN_VERSION));
  if (form.duplicate !== undefined) return refused(opened, 400, note(`the form has more than one ${form.duplicate}`));
  const message = messages.find(({ actions }) => actions.some((one) => one.action === form.action && (!version || isWithin(version, one))));
  // If only the start of the form was read, the action or the message may be in the rest.
  if (!message && (isWhole || form.action !== undefined)) return refused(opened, 400, actionFault(form.action));
  const request = form.request ?? (isWhole ? NO_REQUEST : undefined);
  if (!request) return opened;
  const assumed = version ?? assumedVersion(message, form.action);
  const opening = openMessage({ ...opened, dialect: alpineBits(assumed, { strict }) }, request, { message, messages, isWhole, profile });
  if (!version) opening.document?.report.advise(`no protocol version was sent; ${assumed} was assumed`);
  return opening;
}

/** The part of an action before the colon is the message name. */
function actionFault(action = ""): Fault {
  return isReservation(`${action.split(":", 1)[0]}RQ`) ? reservationAction(action) : unknownAction();
}

const UNKNOWN_VERSION = `your current alpinebits version does not match one of the servers supported versions ${ALPINEBITS_VERSIONS.join(", ")}`;

const NO_REQUEST: FormPart = { name: "request", content: new Uint8Array() };

function assumedVersion(message: Message | undefined, name: string | undefined): AlpineBitsVersion {
  const action = message?.actions.find((one) => one.action === name);
  return ALPINEBITS_VERSIONS.findLast((version) => action && isWithin(version, action)) ?? NEWEST;
}

type Candidates = Pick<Opening, "messages" | "isWhole" | "profile"> & { message: Message | undefined };

function openMessage(opened: Opened, { content, type }: FormPart, candidates: Candidates): Opened {
  const { message, messages, isWhole, profile } = candidates;
  if (recognise(content, "").kind === "empty") return { ...refused(opened, 400, emptyBody()), empty: true };
  const decodedXml = decodeXml(content, type, { isWhole });
  if ("fault" in decodedXml) return refused(opened, 400, notWellFormed(decodedXml.at, decodedXml.fault));
  const { dialect, action } = opened;
  const document = readDocument({ ...decodedXml, dialect, messages, isWhole, action, profile });
  const credentials = opened.credentials ?? document.credentials;
  return { ...opened, source: decodedXml.source, document, credentials, refusal: findRefusal(document, message, action) };
}

/** An unreadable document takes precedence over a message that does not match its action. */
function findRefusal({ root, problem }: Document, message: Message | undefined, action: string | undefined): Refusal | undefined {
  const isMismatch = message && root !== undefined && root !== message.root && !isUnreadable(problem);
  if (isMismatch) return { status: 400, fault: note(`action ${action} does not match message ${root}`) };
  return problem && { status: 400, fault: problem.fault };
}
