import type { PageKind } from "../calendar/attributes.ts";
import type { NightChange } from "../calendar/change.ts";
import type { StoredPage } from "../calendar/draft.ts";
import type { Night } from "../calendar/night.ts";
import type { Operation } from "../calendar/operation.ts";
import type { CategoryRow, MessageRow, PropertyRow, RatePlanRow } from "../db/schema.ts";
import type { RecordChange } from "../records/audit.ts";

/** `first` and `last` are inclusive. `category` and `lane` default to all. */
export type PageRequest = { kind: PageKind; category?: string; lane?: string; first: Night; last: Night };

/** Returns the same key for requests that differ only in their nights. */
export function requestKey({ kind, category, lane }: Omit<PageRequest, "first" | "last">): string {
  return `${kind}\n${category ?? "\n"}\n${lane ?? "\n"}`;
}

/** A property's records at the time a message is decided. `property` is undefined if the code is unknown. */
export type PropertyRecords = {
  property: PropertyRow | undefined;
  categories: ReadonlyMap<string, CategoryRow>;
  plans: ReadonlyMap<string, StoredPlan>;
  completeSets: Readonly<Record<CompleteSet, number | undefined>>;
  /** The first distribution code that the sender used or, with open access, that was used for the property. */
  distribution: string | undefined;
  pages: readonly StoredPage[];
};

/** `details` can be long, so it is present only if the work requests it. */
export type StoredPlan = Omit<RatePlanRow, "details"> & Partial<Pick<RatePlanRow, "details">>;

/** A rate plan in a message. The first message creates the plan; later messages update its time and the given fields. */
export type PlanMention = { code: string } & Partial<
  Pick<RatePlanRow, "name" | "currency" | "price_basis" | "meal_plan" | "taxes" | "status" | "details">
>;

export type MessageWork = {
  property: string | undefined;
  /** All pages that the decision may read or change. */
  pages: readonly PageRequest[];
  planDetails?: boolean | undefined;
  /** The sender whose distribution code is needed. Without a name, the code used with open access is needed. */
  distributionOf?: { sender: string | undefined } | undefined;
  /** Secrets are masked. */
  request: Uint8Array;
  received: ReceivedMessage;
  /** Must have no side effects, because it runs under the lock and runs again if a shared commit fails. */
  decide(directory: PropertyRecords, id: number): MessageVerdict;
};

export type ReceivedMessage = {
  at: number;
  sender: string | undefined;
  /** The property code in a message from an unauthenticated sender. It is only logged. */
  claimed: string | undefined;
  via: MessageRow["via"];
  transport: MessageRow["transport"];
  root: string | undefined;
  action: string | undefined;
  echoToken: string | undefined;
  stamp: string | undefined;
  remote: string | undefined;
  lines: number;
  dryRun: boolean;
  /** Milliseconds since the request arrived. */
  elapsed(): number;
};

export type MessageOutcome = MessageRow["outcome"];

export type CompleteSet = "counts" | "rate plans";

export type HttpResponse = { status: number; headers: Readonly<Record<string, string>>; body: Uint8Array };

export type MessageVerdict = {
  outcome: MessageOutcome;
  reply: HttpResponse;
  summary: string;
  notes: MessageNotes;
  operations: readonly Operation[];
  plans: readonly PlanMention[];
  property?: PropertyRow | undefined;
  categories: readonly CategoryRow[];
  history: readonly RecordChange[];
  completeSet: CompleteSet | undefined;
  distribution?: string | undefined;
};

export type VerdictSummary = Pick<MessageVerdict, "outcome" | "summary" | "notes" | "completeSet">;

/** `at` is the position that the note is about: `line:column`, or a record. */
export type MessageNotes = {
  errors: readonly MessageNote[];
  warnings: readonly MessageNote[];
  advisories: readonly string[];
  ignored: readonly string[];
  headers: Readonly<Record<string, string>>;
  /** The message that was replayed. */
  original?: number;
};
export type MessageNote = { type: number; code?: number; text: string; at?: string; record?: string; unknown?: UnknownCode };

/** A sender's code that matches no record. */
export type UnknownCode = { kind: "property" | "category" | "plan"; code: string };

/** The result for one message. Omits its operations to save memory. `changes` contains the first 1,000 runs. */
export type Receipt = {
  id: number;
  reply: HttpResponse;
  verdict: VerdictSummary;
  changedNights: number;
  changes: readonly NightChange[];
  sameAs: number | undefined;
};

export const OUTCOME_BADGES: Readonly<Record<MessageOutcome, "good" | "warn" | "bad">> = {
  ok: "good",
  warnings: "warn",
  refused: "bad",
  malformed: "bad",
  unauthorised: "bad",
  failed: "bad",
};

export function isOutcome(text: string): text is MessageOutcome {
  return Object.hasOwn(OUTCOME_BADGES, text);
}
