import type { Statement } from "../db/database.ts";
import type { ChangeOutboxRow } from "../db/schema.ts";
import { type InsertTemplate, insertRows } from "../db/statements.ts";

/** A change for the change feed. `at` is in milliseconds since 1970; `message` is undefined if a user made the change. */
export type OutboxEntry = Pick<ChangeOutboxRow, "at" | "property" | "kind"> & {
  message?: number;
  category?: string | undefined;
  plan?: string | undefined;
};

const INSERT_OUTBOX: InsertTemplate = {
  into: "insert into change_outbox (at, property, message, kind, category, plan)",
  columns: 6,
  conflict: "",
};

/**
 * Returns the statements that add changes to the outbox. Run them in the transaction that makes the change. Later changes to the property
 * must wait until it ends.
 */
export function outboxStatements(entries: readonly OutboxEntry[]): Statement[] {
  return insertRows(
    INSERT_OUTBOX,
    entries.map(({ at, property, message, kind, category, plan }) => [at, property, message ?? null, kind, category ?? null, plan ?? null]),
  );
}
