import assert from "node:assert/strict";
import type { Database } from "../../src/db/database.ts";
import { createSender, type NewSender } from "../../src/modules/channel/senders/edit-store.ts";
import type { By } from "../../src/records/audit.ts";

export const BY_TEST: By = { at: Date.UTC(2026, 10, 20, 12), actor: "test", kind: "command" };

/** Adds a sender and returns its secret; without `hotels` it has access to all properties. */
export async function addSender(database: Database, sender: Partial<NewSender> & { name: string }): Promise<string> {
  const secret = await createSender(database, { hotels: undefined, ...sender }, BY_TEST);
  assert.ok(secret, `sender ${sender.name} exists`);
  return secret;
}
