import type { Database } from "../../../db/database.ts";
import type { MessageRow } from "../../../db/schema.ts";

type Last = Pick<MessageRow, "id" | "received_at" | "summary" | "outcome" | "status">;

/** Messages of one hour. */
export type Hour = { accepted: number; refused: number };

export type SenderHealth = {
  /** `undefined`: none among the sender's last 20,000 messages. */
  lastAccepted: Last | undefined;
  /** `summary` is the reason. */
  lastRefused: Last | undefined;
  /** The last 24 hours, the oldest first; the last one is not over yet. */
  hours: readonly Hour[];
  /** From 0 to 1; `undefined` without messages in these hours. */
  acceptedShare: number | undefined;
};

/** By name of the sender, for every sender that exists. */
export declare function listHealth(database: Database, now: number): Promise<ReadonlyMap<string, SenderHealth>>;
