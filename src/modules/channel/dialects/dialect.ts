import type { HttpResponse } from "../../../journal/work.ts";
import type { MessageRefusal } from "../answer/refusal.ts";
import type { Fault } from "../ota-error.ts";
import type { ReportedFinding, FindingLocations } from "../report.ts";

/** How to interpret a dialect's messages. Plain OpenTravel is read tolerantly and sets none of these rules. */
export type DialectRules = {
  /** The attribute that identifies the property. Default: `HotelCode`. */
  hotelField?: string;
  /** A property name without a code is refused. */
  requiresHotelCode?: boolean;
  /** `UniqueID` may only mark complete sets. */
  checksUniqueId?: boolean;
  /** Each line must have a first and a last night. */
  requiresPeriod?: boolean;
  /** Ignores `HotelCode` on `HotelDescriptiveContents`, the list of hotels. */
  ignoresCodeOfContents?: boolean;
  /** `InvCode` names a room even if it equals `InvTypeCode`. By default, both then name the category. */
  allowsRoomNamedAsCategory?: boolean;
  /** The answer to a delta requests a complete set if the last one is too old. */
  requestsCompleteSets?: boolean;

  readsHandshake?: boolean;
  requiresHandshake?: boolean;
  /** An unreadable handshake is answered with an empty one, because the answer can't contain errors. */
  answersUnreadableHandshake?: boolean;

  checksFreeRooms?: boolean;
  appliesClosingsLast?: boolean;
  /** If a line has counts, missing count types are set to 0. */
  zeroesMissingCounts?: boolean;

  checksRatePlans?: boolean;
  /** Rates require a rate plan. */
  requiresPlanCode?: boolean;
  /** A rate plan's dates control when to display it, not which nights its rates apply to. */
  datesPlansForDisplay?: boolean;

  checksGuestRooms?: boolean;
  /** A message describes the whole category, so missing parts are removed. */
  replacesCategories?: boolean;

  /** Answers to pulls can't contain warnings. */
  pullsHaveNoWarnings?: boolean;
  /** A pull may request only changes, which is not supported. */
  pullsMayAskForChanges?: boolean;
  /** Answers can only contain the website from a property's contact details. */
  answersWebsiteOnly?: boolean;
  /** Answers allow only amounts above 0, after tax, without ages in years. Amounts for additional guests use the rate plan's currency. */
  answersGrossAmountsOnly?: boolean;
  /** The only currency that answers can contain. */
  onlyCurrency?: string | undefined;
  /** Maximum length of a category code in an answer, in characters. */
  longestCategoryCode?: number;
  longestRoomName?: number;
};

/** The content of an answer, independent of the dialect. */
export type ResponseContent = {
  /** The message's ID in the log; `undefined` if none of the message was read. */
  id: number | undefined;
  /** The request's root element, such as `OTA_PingRQ`. */
  root: string;
  /** Attributes of the request's root element that some dialects repeat. */
  head: { echoToken: string | undefined; target: string | undefined; version: string | undefined; requestor: string | undefined };
  errors: readonly ReportedFinding[];
  warnings: readonly ReportedFinding[];
  /** XML to write after `<Success/>`. */
  content: string;
  /** In milliseconds since 1970. */
  now: number;
  places: FindingLocations;
};

export type ResponseHead = Omit<HttpResponse, "body">;

/** Reads and answers messages in one format, such as OpenTravel in SOAP 1.1. Other code depends only on the dialect's rules. */
export type Dialect = DialectRules & {
  /** Returns the dialect for an envelope in this XML namespace, or `undefined` if there is none. */
  inEnvelope(namespace: string): Dialect | undefined;
  /** Writes the answer to a message. The default status is 200. */
  answer(answer: ResponseContent, head?: ResponseHead): HttpResponse;
  /** Writes a refusal that doesn't depend on the message type. */
  refuse(refusal: MessageRefusal, now: number): HttpResponse;
  /** Whether a refusal of a readable message has the message's own answer type. */
  refusesInAnswer: boolean;
  /** Whether senders expect an HTTP challenge if credentials are missing. */
  challenges: boolean;
  /** Returns an internal error with the reference to quote. */
  systemFault(reference: string): Fault;
};
