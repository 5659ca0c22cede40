import { firstCharacters } from "../../../text.ts";
import type { Attributes } from "../../../xml/handler.ts";
import { OTA_NAMESPACE } from "../dialects/answer-xml.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectForRoot } from "../dialects/roots.ts";
import { MAX_ECHO_TOKEN_LENGTH } from "../limits.ts";
import type { MessageHead, Message } from "../message.ts";
import {
  type Fault,
  fieldMissing,
  invalidWord,
  messageNotSupported,
  NO_RESERVATIONS_TEXT,
  notImplemented,
  unexpectedNamespace,
  unknownMessage,
} from "../ota-error.ts";
import type { Profile } from "../profiles/profile.ts";
import type { ElementContext } from "../report.ts";

const MAX_TARGET_LENGTH = 32;

/**
 * Why the document contains no request. An `unsupported` message exists in OpenTravel; for all other problems, the message can't be read.
 */
export type DocumentProblem = { kind: "malformed" | "dtd" | "namespace" | "unknown" | "unsupported" | "empty-envelope"; fault: Fault };

export function isUnreadable(problem: DocumentProblem | undefined): boolean {
  return problem?.kind === "malformed" || problem?.kind === "dtd";
}

export function isRequest(name: string): boolean {
  return /^OTA_\w{1,64}RQ$/.test(name);
}

type RootElement = { name: string; namespace: string };

export function rootProblem({ name, namespace }: RootElement, message: Message | undefined, profile: Profile): DocumentProblem | undefined {
  const isOpenTravelRequest = isRequest(name);
  const isAccepted = namespace === OTA_NAMESPACE || namespace === "" || profile.namespace === "any";
  if (isOpenTravelRequest && !isAccepted) return { kind: "namespace", fault: unexpectedNamespace(namespace) };
  if (message) return undefined;
  if (dialectForRoot(name)) return { kind: "unsupported", fault: notImplemented(name, NO_PROMOTIONS_TEXT) };
  if (isReservation(name)) return { kind: "unsupported", fault: notImplemented(name, NO_RESERVATIONS_TEXT) };
  return isOpenTravelRequest ? { kind: "unsupported", fault: messageNotSupported(name) } : { kind: "unknown", fault: unknownMessage(name) };
}

/** Error text for messages without a reader in Google's own format. Other formats have none. */
const NO_PROMOTIONS_TEXT = "promotions, taxes and price rules are not stored";

/** Names of reservation messages. Roomrack stores what can be sold, not bookings. */
const RESERVATION_ROOTS: ReadonlySet<string> = new Set([
  "OTA_ReadRQ",
  "OTA_CancelRQ",
  "OTA_NotifReportRQ",
  "OTA_HotelResRQ",
  "OTA_HotelResNotifRQ",
  "OTA_HotelResModifyRQ",
  "OTA_HotelResModifyNotifRQ",
  "OTA_HotelStayInfoNotifRQ",
]);

export function isReservation(root: string): boolean {
  return RESERVATION_ROOTS.has(root);
}

export function emptyHead(): MessageHead {
  return {
    echoToken: undefined,
    timeStamp: undefined,
    version: undefined,
    target: undefined,
    completeSet: false,
    isDelta: false,
    requestor: undefined,
  };
}

export function readRootAttributes(head: MessageHead, attributes: Attributes): void {
  head.echoToken = shortenTarget(attributes.get("EchoToken"), MAX_ECHO_TOKEN_LENGTH);
  head.timeStamp = attributes.get("TimeStamp");
  head.version = attributes.get("Version");
  head.target = shortenTarget(attributes.get("Target"), MAX_TARGET_LENGTH);
}

function shortenTarget(text: string | undefined, length: number): string | undefined {
  return text && firstCharacters(text, length);
}

/** Reads `UniqueID`. If it doesn't mark the message as a complete set, the message is read as a delta. */
export function readUniqueId(head: MessageHead, reading: ElementContext, dialect: Dialect): void {
  const { attributes, report } = reading;
  const instance = attributes.get("Instance")?.trim();
  if (instance?.toLowerCase() === "completeset") head.completeSet = true;
  else if (/^delta/i.test(instance ?? "")) head.isDelta = true;
  else if (instance) report.ignore(`UniqueID/@Instance="${instance.slice(0, 32)}"`);
  if (dialect.checksUniqueId) checkUniqueId(reading);
}

function checkUniqueId({ attributes, report, at }: ElementContext): void {
  const instance = attributes.get("Instance");
  const type = attributes.get("Type");
  if (instance === undefined) report.error(fieldMissing("Instance of UniqueID"), at);
  else if (instance !== "CompleteSet") report.error(invalidWord(instance, "Instance of UniqueID", "CompleteSet"), at);
  if (type === undefined) report.error(fieldMissing("Type of UniqueID"), at);
  else if (!COMPLETE_SET_TYPES.has(type)) report.error(invalidWord(type, "Type of UniqueID", "16, 35"), at);
}

/** Types allowed in `UniqueID`, from OpenTravel code list UIT: a reference (16) and an inventory update (35). */
const COMPLETE_SET_TYPES: ReadonlySet<string> = new Set(["16", "35"]);
