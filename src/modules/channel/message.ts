import type { StoredPage } from "../../calendar/draft.ts";
import type { Night } from "../../calendar/night.ts";
import type { Operation } from "../../calendar/operation.ts";
import type { CategoryRow, PropertyRow } from "../../db/schema.ts";
import type { CompleteSet, Directory, PageRequest, PlanMention } from "../../journal/work.ts";
import type { RecordChange } from "../../records/audit.ts";
import type { ElementHandler } from "../../xml/handler.ts";
import type { Source } from "../../xml/source.ts";
import type { AlpineBitsVersion, Dialect } from "./dialects.ts";
import type { Example } from "./example.ts";
import type { Place, Report } from "./report.ts";

/**
 * One OpenTravel message: how it is read and decided.
 *
 * A message is read in one pass: `read` gives a reader that takes the elements, the root first, and whose `finish`
 * checks it and answers the request. Faults go to the report at any time; a message with errors is decided only to find all
 * of them, and nothing is stored.
 */
export type Message = {
  /** Local name of the root element, such as `OTA_HotelInvCountNotifRQ`. */
  root: string;
  /** One sentence for integrators. */
  about: string;
  actions: readonly AlpineBitsAction[];
  /** Local names of the elements that name the property; the first with a code counts. */
  hotelElements: readonly string[];
  read(context: ReadContext): MessageReader;
  examples: readonly Example[];
};

/** The form field `action`, its name in the handshake, and what it announces; `undefined`: the version does not have it. */
export type AlpineBitsAction = {
  action: string;
  handshake: string;
  capabilities(version: AlpineBitsVersion): readonly string[] | undefined;
};

export type ReadContext = {
  dialect: Dialect;
  head: Head;
  report: Report;
  /** All supported messages, for the handshake. */
  messages: readonly Message[];
  /** The whole document; some parts of it are kept as sent. */
  source: Source;
};

/** What every message carries; filled while the document is read. */
export type Head = {
  echoToken: string | undefined;
  timeStamp: string | undefined;
  version: string | undefined;
  target: string | undefined;
  /** `UniqueID` below the root with `Instance="CompleteSet"`. */
  completeSet: boolean;
  /** `RequestorID/@ID`: a name, never a credential by itself. */
  requestor: string | undefined;
};

/** Takes the elements of the message from its root on; `POS` and a `UniqueID` right below the root went to the head. */
export type MessageReader = ElementHandler & { finish(): Request };

export type Request = HotelRequest | PlainRequest;

/** A request about one hotel. */
export type HotelRequest = {
  kind: "hotel";
  hotel: HotelReference;
  /** Number of lines, for the log. */
  lines: number;
  /** Pages that the decision reads or changes; the caller limits them to storable nights. */
  pages: readonly PageRequest[];
  /** Whether the decision needs the details of the rate plans. */
  planDetails?: true;
  /** Applies the business rules, without side effects other than on `context.report`. */
  decide(context: DecisionContext): Decision;
};

/** A request about no hotel, such as a ping. */
export type PlainRequest = { kind: "plain"; lines: number; answer(): PlainAnswer };
export type PlainAnswer = { summary: string; content: string };

/** `code` wins; a name alone is accepted when exactly one active property has it. */
export type HotelReference = { code: string | undefined; name: string | undefined; at: Place };

/** What a hotel's request is decided with. */
export type DecisionContext = {
  dialect: Dialect;
  property: PropertyRow;
  categories: ReadonlyMap<string, CategoryRow>;
  plans: Directory["plans"];
  completeSets: Directory["completeSets"];
  /** The stored pages that the request asked for. */
  pages: readonly StoredPage[];
  /** The date at the property. */
  today: Night;
  /** The last night that is stored. */
  horizon: Night;
  /** Milliseconds since 1970. */
  now: number;
  report: Report;
};

/** The result of a request. Missing parts are empty. */
export type Decision = {
  /** One sentence, such as `DBL 2027-03-01 to 2027-03-05: available 3`. */
  summary: string;
  operations?: readonly Operation[];
  plans?: readonly PlanMention[];
  /** Whole rows to create or replace. */
  categories?: readonly CategoryRow[];
  /** What the history of records tells of them. */
  history?: readonly RecordChange[];
  completeSet?: CompleteSet | undefined;
  /** XML after `<Success/>` and the warnings of the answer, already escaped. */
  content?: string;
};
