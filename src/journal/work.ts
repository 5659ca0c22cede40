import type { Applied } from "../calendar/apply.ts";
import type { NightChange } from "../calendar/change.ts";
import type { StoredPage } from "../calendar/draft.ts";
import type { Night } from "../calendar/night.ts";
import type { Kind, Operation } from "../calendar/operation.ts";
import type { RecordChange } from "../db/audit.ts";
import type { CategoryRow, MessageRow, PropertyRow, RatePlanRow } from "../db/schema.ts";
import type { Pieces } from "../pieces.ts";
import type { Packed } from "./body.ts";

/** Pages that a message may touch, both nights included; without `category` or `lane` those of all. */
export type PageRequest = { kind: Kind; category?: string; lane?: string; first: Night; last: Night };

/** What is known of a property when a message is decided; `property` is undefined when the code is unknown. */
export type Directory = {
  property: PropertyRow | undefined;
  categories: ReadonlyMap<string, CategoryRow>;
  plans: ReadonlyMap<string, StoredPlan>;
  /** When the last complete set of each kind was decided. */
  completeSets: Readonly<Record<CompleteSet, number | undefined>>;
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
  /** Every page that the verdict's operations can touch. */
  pages: readonly PageRequest[];
  /** The directory is to have the details of the rate plans. */
  planDetails?: boolean | undefined;
  /** The body as received, secrets already masked. */
  request: Uint8Array;
  /** From `packAhead`, when that was called. */
  packed?: Promise<Packed> | undefined;
  received: Received;
  /** Pure: the business rules. Called under the lock, and again when a shared commit cannot be stored. */
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

/** The decision on a message: what to store and what to answer. */
export type Verdict = {
  outcome: Outcome;
  status: number;
  answer: Uint8Array;
  /** From `packAnswer`, when that was called. */
  packedAnswer?: Uint8Array | undefined;
  /** One sentence for the list: "DBL 2027-03-01 to 2027-03-05: available 3". */
  summary: string;
  notes: Notes;
  operations: readonly Operation[];
  /** What comes of the operations, when they were applied before the lock was held. */
  ahead?: AppliedAhead | undefined;
  plans: readonly PlanSighting[];
  /** Categories to create or replace, whole rows. */
  categories: readonly CategoryRow[];
  /** What the history of records tells of them. */
  history: readonly RecordChange[];
  /** What the message replaced completely for the property; `undefined`: nothing. */
  completeSet: CompleteSet | undefined;
};

/** What operations come to, for a message with that id; undefined where the pages are not those that they were applied to. */
export type AppliedAhead = (pages: readonly StoredPage[], id: number) => Pieces<Applied | undefined>;

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
export type Receipt = { id: number; verdict: Told; changedNights: number; changes: readonly NightChange[]; sameAs: number | undefined };
