import type { Database } from "../../../db/database.ts";

/** One property of a sender. `missing` lists codes, at most 100. */
export type PropertyProgress = {
  property: string;
  /** Active categories without a count for one of the next 365 nights. */
  categoriesWithoutCounts: readonly string[];
  /** Whether there are categories at all. */
  hasCategories: boolean;
  /** Active rate plans without any price in the next 365 nights. */
  plansWithoutPrices: readonly string[];
  hasPlans: boolean;
  completeSetAt: number | undefined;
};

/** Progress of a first connection. */
export type Checklist = {
  signedInAt: number | undefined;
  firstAccepted: { message: number; at: number } | undefined;
  /** Its properties, at most 20; for a sender of all properties, those that it sent messages for. */
  properties: readonly PropertyProgress[];
  /** How many properties were left out. */
  more: number;
};

/** `undefined` if there is no such sender. */
export declare function findChecklist(database: Database, query: { sender: string; now: number }): Promise<Checklist | undefined>;
