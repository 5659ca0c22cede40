import type { NightChange } from "../calendar/change.ts";
import type { Night } from "../calendar/night.ts";
import type { Kind, Operation } from "../calendar/operation.ts";
import type { CategoryRow, PropertyRow, RatePlanRow } from "../db/schema.ts";
import type { Packed } from "./body.ts";

/** Pages that a message may touch; without `category` or `lane` those of all. Both nights are included. */
export type PageRequest = { kind: Kind; category?: string; lane?: string; first: Night; last: Night };

/** What is known of a property at the moment a message is decided; `property` is undefined when there is no such code. */
export type Directory = {
  property: PropertyRow | undefined;
  categories: ReadonlyMap<string, CategoryRow>;
  plans: ReadonlyMap<string, RatePlanRow>;
};

/** A rate plan that a message named: made on first sight, else its last sight is noted and the given fields are set. */
export type PlanSighting = { code: string } & Partial<
  Pick<RatePlanRow, "name" | "currency" | "price_basis" | "meal_plan" | "taxes" | "status" | "details">
>;

/** One message on its way into the journal. */
export type Work = {
  /** The property code that the message names; its messages are decided one after the other. */
  property: string | undefined;
  /** Every page that the verdict's operations can touch. */
  pages: readonly PageRequest[];
  /** The body as received, secrets already masked. */
  request: Uint8Array;
  /** From `packAhead`, where that was called with the request. */
  packed?: Promise<Packed> | undefined;
  received: Received;
  /** Pure: the business rules. Called under the lock; again, when what was decided together with others cannot be stored together. */
  decide(directory: Directory, id: number): Verdict;
};

/** What is known of a message before it is decided. */
export type Received = {
  at: number;
  sender: string | undefined;
  via: "channel" | "console";
  transport: "raw" | "soap11" | "soap12" | "multipart" | "form" | "none";
  root: string | undefined;
  action: string | undefined;
  echoToken: string | undefined;
  stamp: string | undefined;
  remote: string | undefined;
  /** Number of lines (Inventory, AvailStatusMessage, Rate, ... elements). */
  lines: number;
  /** Nothing is stored but the log entry. */
  dryRun: boolean;
  /** Milliseconds since the request came in. */
  elapsed(): number;
};

export type Outcome = "ok" | "warnings" | "refused" | "malformed" | "unauthorised" | "failed";

/** What a message can tell all of. */
export type CompleteSet = "counts" | "rate plans";

/** What was decided about a message: what to store and what to answer. */
export type Verdict = {
  outcome: Outcome;
  status: number;
  answer: Uint8Array;
  /** One sentence for the list: "DBL 2027-03-01 to 2027-03-05: available 3". */
  summary: string;
  notes: Notes;
  operations: readonly Operation[];
  plans: readonly PlanSighting[];
  /** Categories to create or replace, whole rows. */
  categories: readonly CategoryRow[];
  /** What the message replaced all of that is held for the property; `undefined`: nothing. */
  completeSet: CompleteSet | undefined;
};

/** The part of a verdict that is kept for whoever asks. */
export type Told = Pick<Verdict, "outcome" | "summary" | "notes" | "completeSet">;

/** Shown with the entry in the message log. `at` is line:column or the record. */
export type Notes = {
  errors: readonly Note[];
  warnings: readonly Note[];
  advisories: readonly string[];
  ignored: readonly string[];
  headers: Readonly<Record<string, string>>;
};
export type Note = { type: number; code?: number; text: string; at?: string; record?: string };

/** What became of it, after the commit; the operations are not kept until then. `changes` is limited to the first 1,000 runs. */
export type Receipt = { id: number; verdict: Told; changedNights: number; changes: readonly NightChange[]; sameAs: number | undefined };
