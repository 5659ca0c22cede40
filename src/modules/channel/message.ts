import type { StoredPage } from "../../calendar/draft.ts";
import type { Night } from "../../calendar/night.ts";
import type { Operation } from "../../calendar/operation.ts";
import type { CategoryRow, PropertyRow } from "../../db/schema.ts";
import type { CompleteSet, PropertyRecords, PageRequest, PlanMention } from "../../journal/work.ts";
import type { RecordChange } from "../../records/audit.ts";
import type { ElementHandler } from "../../xml/handler.ts";
import type { XmlSource } from "../../xml/source.ts";
import type { VersionRange } from "./dialects/alpinebits.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { NarrowingAttribute } from "./elements/narrowing.ts";
import type { Example } from "./example.ts";
import type { Profile } from "./profiles/profile.ts";
import type { SourceLocation, MessageReport } from "./report.ts";
import type { CodeMap } from "./senders/codes.ts";

/**
 * An OpenTravel message type. `read` returns a reader that receives the message's elements, starting with the root. The reader's `finish`
 * checks the message and returns the request. Readers add faults to the report. A message with errors is still decided, so that all its
 * errors are reported, but nothing is stored.
 */
export type Message = PublishedMessage & {
  /** Local names of elements that identify the property. The first with a code is used. */
  hotelElements: readonly string[];
  /** Where these elements contain the code. Default: the attribute `HotelCode`. */
  hotelCodeIn?: "id" | "text";
  read(context: ReadContext): MessageReader;
};

/** A message as listed on pages and in the documentation. `root` is its name. */
export type PublishedMessage = { root: string; about: string; actions: readonly AlpineBitsAction[]; examples: readonly Example[] };

/**
 * An AlpineBits action: the value of the form field `action`, the action's name in the handshake, and its capabilities. `since` and `until`
 * are set if only some versions have the action.
 */
export type AlpineBitsAction = VersionRange & { action: string; handshake: string; capabilities?: readonly Capability[] };
export type Capability = string | (VersionRange & { name: string });

export type ReadContext = {
  dialect: Dialect;
  profile: Profile;
  head: MessageHead;
  report: MessageReport;
  messages: readonly Message[];
  /** The whole document. Needed for parts that are stored as sent. */
  source: XmlSource;
  /** The AlpineBits action, if the request has one. */
  action: string | undefined;
};

/** Parts that all messages have in common, filled in while the document is read. */
export type MessageHead = {
  echoToken: string | undefined;
  timeStamp: string | undefined;
  version: string | undefined;
  target: string | undefined;
  completeSet: boolean;
  /** Whether `UniqueID` marks the message as a delta, which leaves everything that it doesn't contain unchanged. */
  isDelta: boolean;
  /** `RequestorID/@ID`. Names the sender but does not authenticate it. */
  requestor: string | undefined;
};

/** Receives the root and the elements inside it, except for `POS` and `UniqueID` directly below the root, which belong to the head. */
export type MessageReader = ElementHandler & {
  finish(): MessageRequest;
  /** Called if the open line is restricted to part of what can be stored. Returns false if no line is open; the message is then refused. */
  narrow?(narrowing: NarrowingAttribute): boolean;
  /** Called if part of the open line was ignored, such as an extension. */
  omit?(extension?: { name: string; offset: number }): void;
  /** Whether extensions in the open element may limit the line. If so, they are treated like other elements. */
  readsExtensions?(): boolean;
};

export type MessageRequest = HotelRequest | PlainRequest;

export type HotelRequest = {
  kind: "hotel";
  hotel: HotelReference;
  lines: number;
  /** Pages that the decision reads or changes. The caller ignores nights that can't be stored. */
  pages: readonly PageRequest[];
  planDetails?: true;
  /** Whether any line is limited to certain distribution channels. */
  hasChannels?: boolean;
  /** Applies the business rules. Has no side effects except on `context.report`. */
  decide(context: DecisionContext): Decision;
};

export type PlainRequest = { kind: "plain"; lines: number; answer(): PlainResponse };
export type PlainResponse = { summary: string; content: string };

/** A reference to a property. `code` takes precedence. A name without a code is accepted if exactly one active property has that name. */
export type HotelReference = { code: string | undefined; name: string | undefined; at: SourceLocation };

export type DecisionContext = {
  dialect: Dialect;
  profile: Profile;
  /** Set if the sender uses its own codes. All other codes in the context are then the sender's. */
  codes?: CodeMap | undefined;
  property: PropertyRow;
  categories: ReadonlyMap<string, CategoryRow>;
  plans: PropertyRecords["plans"];
  completeSets: PropertyRecords["completeSets"];
  distribution: PropertyRecords["distribution"];
  pages: readonly StoredPage[];
  today: Night;
  horizon: Night;
  now: number;
  report: MessageReport;
};

export type Decision = {
  /** One sentence, such as `DBL 2027-03-01 to 2027-03-05: available 3`. */
  summary: string;
  operations?: readonly Operation[];
  plans?: readonly PlanMention[];
  /** The property's updated record, if it changes. */
  property?: PropertyRow | undefined;
  categories?: readonly CategoryRow[];
  history?: readonly RecordChange[];
  completeSet?: CompleteSet | undefined;
  /** Code of the sender's distribution channel, if it has to be stored. */
  distribution?: string | undefined;
  /** XML to write after `<Success/>` and the warnings, already escaped. */
  content?: string;
};
