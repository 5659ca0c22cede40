import type { Kind } from "../calendar/attributes.ts";
import type { NightChange } from "../calendar/change.ts";
import type { StoredPage } from "../calendar/draft.ts";
import type { Night } from "../calendar/night.ts";
import type { Operation } from "../calendar/operation.ts";
import type { CategoryRow, MessageRow, PropertyRow, RatePlanRow } from "../db/schema.ts";
import type { RecordChange } from "../records/audit.ts";

/** Pages that a message may touch, both nights included; without `category` or `lane` those of all. */
export type PageRequest = { kind: Kind; category?: string; lane?: string; first: Night; last: Night };

/** What is known of a property when a message is decided; `property` is undefined if the code is unknown. */
export type Directory = {
  property: PropertyRow | undefined;
  categories: ReadonlyMap<string, CategoryRow>;
  plans: ReadonlyMap<string, StoredPlan>;
  /** When the last complete set of each kind was decided. */
  completeSets: Readonly<Record<CompleteSet, number | undefined>>;
  /** The stored pages that the message asked for. */
  pages: readonly StoredPage[];
};

/** A rate plan as it is kept; `details`, which can be long, only for work that asks for them. */
export type StoredPlan = Omit<RatePlanRow, "details"> & Partial<Pick<RatePlanRow, "details">>;

/** A rate plan that a message named: the first sight makes it, later ones note the time and set the given fields. */
export type PlanSighting = { code: string } & Partial<
  Pick<RatePlanRow, "name" | "currency" | "price_basis" | "meal_plan" | "taxes" | "status" | "details">
>;

/** One message on its way into the journal. */
export type Work = {
  /** The property code of the message; a property's messages are decided one by one. */
  property: string | undefined;
  /** Every page that the decision reads or that its operations can touch. */
  pages: readonly PageRequest[];
  /** Whether the decision needs the details of the rate plans. */
  planDetails?: boolean | undefined;
  /** The body as received, secrets already masked. */
  request: Uint8Array;
  received: Received;
  /** Applies the business rules, without side effects: it runs under the lock, and again if a shared commit fails. */
  decide(directory: Directory, id: number): Verdict;
};

/** What is known of a message before it is decided. */
export type Received = {
  at: number;
  sender: string | undefined;
  via: MessageRow["via"];
  transport: MessageRow["transport"];
  root: string | undefined;
  action: string | undefined;
  echoToken: string | undefined;
  stamp: string | undefined;
  remote: string | undefined;
  /** Number of lines (Inventory, AvailStatusMessage, Rate, ... elements). */
  lines: number;
  /** Only the log entry is stored. */
  dryRun: boolean;
  /** Milliseconds since the request came in. */
  elapsed(): number;
};

export type Outcome = MessageRow["outcome"];

/** What a message can replace all of. */
export type CompleteSet = "counts" | "rate plans";

/** The HTTP answer to a message. */
export type Reply = { status: number; headers: Readonly<Record<string, string>>; body: Uint8Array };

/** The decision on a message: what to store and what to answer. */
export type Verdict = {
  outcome: Outcome;
  reply: Reply;
  /** One sentence for the list: "DBL 2027-03-01 to 2027-03-05: available 3". */
  summary: string;
  notes: Notes;
  operations: readonly Operation[];
  plans: readonly PlanSighting[];
  /** Categories to create or replace, whole rows. */
  categories: readonly CategoryRow[];
  /** What the history of records tells of them. */
  history: readonly RecordChange[];
  /** What the message replaced completely for the property; `undefined`: nothing. */
  completeSet: CompleteSet | undefined;
};

/** The part of a verdict that a receipt keeps. */
export type Told = Pick<Verdict, "outcome" | "summary" | "notes" | "completeSet">;

/** Shown in the message log. `at` is line:column or the record. */
export type Notes = {
  errors: readonly Note[];
  warnings: readonly Note[];
  advisories: readonly string[];
  ignored: readonly string[];
  headers: Readonly<Record<string, string>>;
};
export type Note = { type: number; code?: number; text: string; at?: string; record?: string };

/** The result after the commit, without the operations, to free memory. `changes` holds the first 1,000 runs. */
export type Receipt = {
  id: number;
  reply: Reply;
  verdict: Told;
  changedNights: number;
  changes: readonly NightChange[];
  sameAs: number | undefined;
};
