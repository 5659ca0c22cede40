import { firstCharacters } from "../../../text.ts";
import { decodeXml } from "../../../xml/decode.ts";
import { escapeText, writeAttributes } from "../../../xml/write.ts";
import type { MessageRefusal } from "../answer/refusal.ts";
import { type MessageDocument, readDocument } from "../document/read.ts";
import { isUnreadable, type DocumentProblem } from "../document/root.ts";
import type { OpenedRequest } from "../exchange.ts";
import { emptyBody, type Fault, notWellFormed, systemError, withoutHint } from "../ota-error.ts";
import {
  OTA_NAMESPACE,
  type ResponseWording,
  responseVersion,
  writeXmlResponse,
  writeTime,
  XML_CONTENT_TYPE,
  xmlReply,
} from "./answer-xml.ts";
import type { ResponseHead, Dialect } from "./dialect.ts";
import { type DialectFamily, type UnopenedRequest, withRefusal } from "./family.ts";
import { type SoapEnvelope, hasNamespace, SOAP11_ENVELOPE, SOAP12_ENVELOPE, wrapInEnvelope, writeFault } from "./soap.ts";

export const openTravel = openTravelIn(undefined);
const openTravelInSoap11 = openTravelIn(SOAP11_ENVELOPE);
const openTravelInSoap12 = openTravelIn(SOAP12_ENVELOPE);

const TRANSPORT_BY_DIALECT: ReadonlyMap<Dialect, OpenedRequest["transport"]> = new Map([
  [openTravel, "raw"],
  [openTravelInSoap11, "soap11"],
  [openTravelInSoap12, "soap12"],
]);

function openTravelIn(envelope: SoapEnvelope | undefined): Dialect {
  const wording = chooseWording(envelope);
  const reply = (document: string, head: ResponseHead) =>
    xmlReply(envelope ? wrapInEnvelope(document, envelope) : document, envelope?.contentType ?? XML_CONTENT_TYPE, head);
  return {
    forEnvelope: openTravelInEnvelope,
    answer: (answer, head = { status: 200, headers: {} }) => reply(writeXmlResponse(answer, wording), head),
    refuse({ status, fault, headers = {}, unreadable }, now) {
      if (!envelope || !unreadable) return reply(writeErrorDocument(fault, now), { status, headers });
      return xmlReply(writeFault(fault.text, envelope), envelope.contentType, {
        status: status === 400 ? envelope.faultStatus : status,
        headers,
      });
    },
    refusesInOwnResponse: true,
    usesHttpChallenge: !envelope,
    systemFault: systemError,
  };
}

function openTravelInEnvelope(namespace: string): Dialect | undefined {
  if (hasNamespace(SOAP11_ENVELOPE, namespace)) return openTravelInSoap11;
  return hasNamespace(SOAP12_ENVELOPE, namespace) ? openTravelInSoap12 : undefined;
}

/** Uses the fixed error texts in SOAP 1.1, because senders that use SiteMinder's format compare them. */
function chooseWording(envelope: SoapEnvelope | undefined): ResponseWording {
  const faultText = (fault: Fault) => (envelope === SOAP11_ENVELOPE ? (fault.fixedText ?? fault.text) : fault.text);
  return {
    writeRootAttributes: (answer) => {
      const { echoToken, target } = answer.head;
      return writeAttributes({ EchoToken: echoToken, TimeStamp: writeTime(answer.now), Target: target, Version: responseVersion(answer) });
    },
    writeError(error, { locations }) {
      const attributes = { Tag: locations.tag(error), RecordID: locations.id(error) };
      return writeNote("Error", { ...error, text: faultText(error) }, { Status: "NotProcessed", ...attributes });
    },
    writeWarning: (warning, { locations }) => writeNote("Warning", warning, { RecordID: locations.id(warning) }),
  };
}

type NoteAttributes = Parameters<typeof writeAttributes>[0];

function writeNote(name: "Error" | "Warning", { type, code, text }: Fault, attributes: NoteAttributes): string {
  const attributesXml = writeAttributes({
    Type: type,
    Code: code,
    ShortText: firstCharacters(withoutHint(text), MAX_SHORT_TEXT_LENGTH),
    ...attributes,
  });
  return `<${name}${attributesXml}>${escapeText(text)}</${name}>`;
}

const MAX_SHORT_TEXT_LENGTH = 64;

/** Writes the response to a request without a message: an `OTA_ErrorRS` as its schema defines it, plus `Errors`. */
function writeErrorDocument(fault: Fault, now: number): string {
  const { code, text } = fault;
  const root = writeAttributes({ TimeStamp: writeTime(now), Version: "1.0", ErrorCode: code, ErrorMessage: text });
  const error = writeNote("Error", fault, { Status: "NotProcessed" });
  return `<OTA_ErrorRS xmlns="${OTA_NAMESPACE}"${root}><Errors>${error}</Errors></OTA_ErrorRS>`;
}

export const openTravelFamily = {
  fromHeaders(headers) {
    const type = headers["content-type"]?.toLowerCase() ?? "";
    if (type.startsWith("application/soap+xml")) return openTravelInSoap12;
    return headers.soapaction === undefined ? openTravel : openTravelInSoap11;
  },
  open(unopened, { kind }) {
    const { base, isComplete } = unopened;
    if (kind === "empty") return isComplete ? { ...withRefusal(base, 400, emptyBody()), empty: true } : base;
    return openXml(unopened);
  },
} satisfies DialectFamily;

function openXml({ base, bytes, isComplete, headers, messages, profile }: UnopenedRequest): OpenedRequest {
  const decodedXml = decodeXml(bytes, headers["content-type"], { isComplete });
  if ("fault" in decodedXml) {
    const refusal = { status: 400, fault: notWellFormed(decodedXml.at, decodedXml.fault), unreadable: true };
    return { ...base, transport: TRANSPORT_BY_DIALECT.get(base.dialect) ?? "raw", refusal };
  }
  const document = readDocument({ ...decodedXml, dialect: openTravel, profile, messages, isComplete });
  const dialect = chooseDialect(document, base.dialect);
  return {
    ...base,
    transport: TRANSPORT_BY_DIALECT.get(dialect) ?? "raw",
    dialect,
    source: decodedXml.source,
    document,
    credentials: base.credentials ?? document.credentials,
    refusal: document.problem && findRefusal(document.problem),
  };
}

/** The document's envelope determines the dialect. If the document is unreadable, the headers may indicate an envelope. */
function chooseDialect({ dialect, problem }: MessageDocument, promised: Dialect): Dialect {
  const isUnknown = dialect === openTravel && isUnreadable(problem);
  return isUnknown && TRANSPORT_BY_DIALECT.has(promised) ? promised : dialect;
}

/** An unsupported message is not refused here, because its response has a type of its own. */
function findRefusal(problem: DocumentProblem): MessageRefusal | undefined {
  const { kind, fault } = problem;
  if (kind === "unsupported") return undefined;
  return { status: 400, fault, unreadable: isUnreadable(problem) || kind === "empty-envelope" };
}
