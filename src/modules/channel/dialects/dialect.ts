import type { HttpResponse } from "../../../journal/work.ts";
import type { MessageRefusal } from "../answer/refusal.ts";
import type { Fault } from "../ota-error.ts";
import type { ReportedFinding, FindingLocations } from "../report.ts";

/** How to interpret a dialect's messages. Plain OpenTravel is read tolerantly and sets none of these rules. */
export type DialectRules = {
  /** The attribute that identifies the property. Default: `HotelCode`. */
  hotelField?: string;
  /** Refuses messages that name the property but omit its code. */
  requiresHotelCode?: boolean;
  /** `UniqueID` may be used only to mark complete sets. */
  checksUniqueId?: boolean;
  /** Each line must have both a first and a last night. */
  requiresPeriod?: boolean;
  /** Ignores `HotelCode` on `HotelDescriptiveContents`, the list that contains the hotel. */
  ignoresContentsHotelCode?: boolean;
  /** If `InvCode` equals `InvTypeCode`, it names a room. By default, both then name the category. */
  allowsRoomWithCategoryCode?: boolean;
  /** If the last complete set is too old, the response to a delta requests a new one. */
  requestsCompleteSets?: boolean;

  readsHandshake?: boolean;
  requiresHandshake?: boolean;
  /** Responds to an unreadable handshake with an empty one, because the response can't contain errors. */
  repliesToUnreadableHandshake?: boolean;

  checksFreeRooms?: boolean;
  appliesClosingsLast?: boolean;
  /** If a line has any count, sets the missing count types to 0. */
  zeroesMissingCounts?: boolean;

  checksRatePlans?: boolean;
  /** Rates must have a rate plan. */
  requiresPlanCode?: boolean;
  /** A rate plan's dates control when to display it, not which nights its rates apply to. */
  planDatesControlDisplay?: boolean;

  checksGuestRooms?: boolean;
  /** A message always describes whole categories, so missing parts are removed. */
  replacesCategories?: boolean;

  /** Responses to pulls can't contain warnings. */
  pullsHaveNoWarnings?: boolean;
  /** A pull may request only the changes. Returning only the changes is not supported. */
  pullsMayRequestChanges?: boolean;
  /** The only contact detail that responses can contain is the website. */
  returnsWebsiteOnly?: boolean;
  /**
   * Responses can contain only amounts above 0, after tax and without ages in years. Additional-guest amounts must be in the rate plan's
   * currency.
   */
  returnsGrossAmountsOnly?: boolean;
  /** The only currency that responses can contain. */
  onlyCurrency?: string | undefined;
  /** Maximum length of a category code in a response, in characters. */
  maxCategoryCodeLength?: number;
  maxRoomNameLength?: number;
};

/** The content of a response, independent of the dialect. */
export type ResponseContent = {
  /** The message's ID in the log; `undefined` if none of the message was read. */
  id: number | undefined;
  /** The name of the request's root element, such as `OTA_PingRQ`. */
  root: string;
  /** Parts of the request that some dialects repeat in the response. */
  head: { echoToken: string | undefined; target: string | undefined; version: string | undefined; requestor: string | undefined };
  errors: readonly ReportedFinding[];
  warnings: readonly ReportedFinding[];
  /** XML to write after `<Success/>`. */
  content: string;
  /** Time of the response, in milliseconds since 1970. */
  now: number;
  locations: FindingLocations;
};

export type ResponseHead = Omit<HttpResponse, "body">;

/** Reads messages and writes responses in one format, such as OpenTravel in SOAP 1.1. Other code depends only on the dialect's rules. */
export type Dialect = DialectRules & {
  /** Returns the dialect for an envelope in this XML namespace, or `undefined` if there is none. */
  forEnvelope(namespace: string): Dialect | undefined;
  /** Writes the response to a message. The default status is 200. */
  answer(answer: ResponseContent, head?: ResponseHead): HttpResponse;
  /** Writes a refusal that is the same for all message types. */
  refuse(refusal: MessageRefusal, now: number): HttpResponse;
  /** Whether the refusal of a readable message has that message's response type. */
  refusesInOwnResponse: boolean;
  /** Whether senders expect an HTTP challenge if credentials are missing. */
  usesHttpChallenge: boolean;
  /** Returns an internal error that contains a reference for the sender to quote. */
  systemFault(reference: string): Fault;
};
