import type { Reply } from "../../../journal/work.ts";
import type { Refusal } from "../answer/refusal.ts";
import type { Fault } from "../ota-error.ts";
import type { Finding, FindingPlaces } from "../report.ts";

/** How messages are meant. Plain OpenTravel is read tolerantly and sets no rule. */
export type Rules = {
  /** What names the property; absent: `HotelCode`. */
  hotelField?: string;
  /** The property's name alone is not enough. */
  requiresHotelCode?: boolean;
  /** `UniqueID` marks complete sets and nothing else. */
  checksUniqueId?: boolean;
  /** A line states both its first and its last night. */
  requiresPeriod?: boolean;
  /** In descriptive content, a `HotelCode` on `HotelDescriptiveContents`, the list, has no meaning. */
  ignoresCodeOfContents?: boolean;
  /** `InvCode` names a room even if it equals `InvTypeCode`. Otherwise both name the category. */
  allowsRoomNamedAsCategory?: boolean;
  /** A delta is answered with a request for a complete set if the last one is too old. */
  requestsCompleteSets?: boolean;

  readsHandshake?: boolean;
  requiresHandshake?: boolean;
  /** An unreadable handshake gets an empty one, because the answer has no place for errors. */
  answersUnreadableHandshake?: boolean;

  checksFreeRooms?: boolean;
  appliesClosingsLast?: boolean;
  /** A line with counts sets the types that it leaves out to 0. */
  zeroesMissingCounts?: boolean;

  checksRatePlans?: boolean;
  /** Rates cannot be sent without a rate plan. */
  requiresPlanCode?: boolean;
  /** A rate plan's dates say when it is shown, not for which nights its rates are. */
  datesPlansForDisplay?: boolean;

  checksGuestRooms?: boolean;
  /** A message describes the whole category: what it leaves out is removed. */
  replacesCategories?: boolean;

  /** The schema of answers to pulls has no warnings. */
  pullsHaveNoWarnings?: boolean;
  /** A pull may ask for changes only, which is not supported. */
  pullsMayAskForChanges?: boolean;
  /** The schema of the answer allows only the website of a property's contact details. */
  answersWebsiteOnly?: boolean;
  /** Only amounts above 0 after tax and without ages in years can be answered, and only the rate plan's currency for additional guests. */
  answersGrossAmountsOnly?: boolean;
  /** The only currency that can be answered. */
  onlyCurrency?: string | undefined;
  /** Characters that an answer can hold. */
  longestCategoryCode?: number;
  longestRoomName?: number;
};

/** The answer to a message, before it is worded. */
export type Answer = {
  /** Number of the message in the log; `undefined` if none of it was read. */
  id: number | undefined;
  /** Root of the request, such as `OTA_PingRQ`. */
  root: string;
  /** Parts of the request's root that some dialects repeat. */
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

/** How messages are meant and answered: OpenTravel, plain or in an envelope, or a version of AlpineBits. Other code asks for its rules only. */
export type Dialect = Rules & {
  /** The dialect of a message in an envelope of this XML namespace; `undefined` if this dialect has no such envelope. */
  inEnvelope(namespace: string): Dialect | undefined;
  /** Words the answer to a message; status 200 unless given. */
  answer(answer: Answer, head?: AnswerHead): Reply;
  /** Words the refusal of a request whose message is not named in the answer. */
  refuse(refusal: Refusal, now: number): Reply;
  /** Whether a message that could be read is refused by an answer in its own name. */
  refusesInAnswer: boolean;
  /** Whether senders expect an HTTP challenge if credentials are missing. */
  challenges: boolean;
  /** Our own failure, with the reference to quote. */
  systemFault(reference: string): Fault;
};
