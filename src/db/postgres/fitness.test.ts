import assert from "node:assert/strict";
import { test } from "node:test";
import { openFresh } from "../../../test/support/databases.ts";
import { poolTransactions } from "../../../test/support/transaction-pooler.ts";
import { openDatabase } from "../open.ts";

test("refuses a pooler that loses prepared statements and explains how to configure it", async () => {
  const { place, remove } = await openFresh("PostgreSQL");
  using pooler = await poolTransactions(place.url!, { connections: 1, tracksStatements: false });
  try {
    await assert.rejects(openDatabase(pooler.url, place.folder), { name: "UnsuitableServerError", message: /Set pool_mode = session/ });
  } finally {
    await remove();
  }
});
