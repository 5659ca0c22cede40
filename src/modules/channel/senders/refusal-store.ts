import type { Database } from "../../../db/database.ts";
import type { CodeKind } from "./code-store.ts";

/** Refused messages with the same first error. `text` has `…` in place of values. */
export type RefusalCause = {
  code: number | undefined;
  text: string;
  count: number;
  firstAt: number;
  lastAt: number;
  /** The last message with it, and what its error said. */
  message: number;
  example: string;
};

/** Refusals of the last 30 days, at most the newest 500; the most frequent cause first. */
export declare function listCauses(database: Database, query: { sender: string; now: number }): Promise<RefusalCause[]>;

/** A code that the sender used and nothing has. `property` is our code of the property; undefined for kind `property`. */
export type UnknownCode = { kind: CodeKind; property: string | undefined; code: string; count: number; lastAt: number; message: number };

/** Codes refused as unknown in the last 30 days, without those that exist or are mapped by now; the most frequent first. */
export declare function listUnknownCodes(database: Database, query: { sender: string; now: number }): Promise<UnknownCode[]>;
