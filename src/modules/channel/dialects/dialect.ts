import type { Reply } from "../../../journal/work.ts";
import type { Refusal } from "../answer/refusal.ts";
import type { Fault } from "../ota-error.ts";
import type { Finding, FindingPlaces } from "../report.ts";

/** How a dialect's messages are interpreted. Plain OpenTravel is read tolerantly and sets none of these rules. */
export type Rules = {
  /** What identifies the property. Default: `HotelCode`. */
  hotelField?: string;
  /** The property's name alone is not enough. */
  requiresHotelCode?: boolean;
  /** `UniqueID` only marks complete sets. */
  checksUniqueId?: boolean;
  /** Each line must have both a first and a last night. */
  requiresPeriod?: boolean;
  /** A `HotelCode` on `HotelDescriptiveContents`, the list of hotels, is ignored. */
  ignoresCodeOfContents?: boolean;
  /** `InvCode` names a room even if it equals `InvTypeCode`. Otherwise both name the category. */
  allowsRoomNamedAsCategory?: boolean;
  /** A delta gets a request for a complete set if the last one is too old. */
  requestsCompleteSets?: boolean;

  readsHandshake?: boolean;
  requiresHandshake?: boolean;
  /** An unreadable handshake gets an empty one in return, because the answer can't contain errors. */
  answersUnreadableHandshake?: boolean;

  checksFreeRooms?: boolean;
  appliesClosingsLast?: boolean;
  /** Count types missing from a line with counts are set to 0. */
  zeroesMissingCounts?: boolean;

  checksRatePlans?: boolean;
  /** Rates cannot be sent without a rate plan. */
  requiresPlanCode?: boolean;
  /** A rate plan's dates say when to display it, not which nights its rates apply to. */
  datesPlansForDisplay?: boolean;

  checksGuestRooms?: boolean;
  /** A message describes the whole category: what it leaves out is removed. */
  replacesCategories?: boolean;

  /** The schema of answers to pulls has no warnings. */
  pullsHaveNoWarnings?: boolean;
  /** A pull may ask for changes only, which is not supported. */
  pullsMayAskForChanges?: boolean;
  /** The answer's schema allows only the website from a property's contact details. */
  answersWebsiteOnly?: boolean;
  /**
   * Answers can only contain amounts above 0, after tax and without ages in years, and only the rate plan's currency for additional guests.
   */
  answersGrossAmountsOnly?: boolean;
  /** The only currency that answers can contain. */
  onlyCurrency?: string | undefined;
  /** Maximum length of a category code in an answer, in characters. */
  longestCategoryCode?: number;
  longestRoomName?: number;
};

/** The content of an answer, before the dialect writes it. */
export type Answer = {
  /** Number of the message in the log; `undefined` if none of it was read. */
  id: number | undefined;
  /** Root of the request, such as `OTA_PingRQ`. */
  root: string;
  /** Attributes of the request's root that some dialects repeat. */
  head: { echoToken: string | undefined; target: string | undefined; version: string | undefined; requestor: string | undefined };
  errors: readonly Finding[];
  warnings: readonly Finding[];
  /** XML after `<Success/>`. */
  content: string;
  /** Milliseconds since 1970. */
  now: number;
  places: FindingPlaces;
};

/** HTTP status and headers of an answer. */
export type AnswerHead = Omit<Reply, "body">;

/**
 * Reads and answers messages of one format, such as OpenTravel in SOAP 1.1 or a version of AlpineBits. Other code depends only on its
 * rules.
 */
export type Dialect = Rules & {
  /** The dialect of a message in an envelope of this XML namespace; `undefined` if this dialect has no such envelope. */
  inEnvelope(namespace: string): Dialect | undefined;
  /** Writes the answer to a message, with status 200 by default. */
  answer(answer: Answer, head?: AnswerHead): Reply;
  /** Writes a refusal that doesn't name the message. */
  refuse(refusal: Refusal, now: number): Reply;
  /** Whether a readable message is refused with an answer of the message's own type. */
  refusesInAnswer: boolean;
  /** Whether senders expect an HTTP challenge if credentials are missing. */
  challenges: boolean;
  /** An internal error, with the reference to quote. */
  systemFault(reference: string): Fault;
};
