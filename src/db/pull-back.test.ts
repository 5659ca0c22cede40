import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { pullBack } from "./pull-back.ts";

const NOW = 1_000_000;
const MOST = 500;

eachEngine("times written by a fast clock", (open) => {
  test("are reset to now one by one if too far ahead", async () => {
    const database = await open();
    const table = "property_activity";
    const rows = [
      { property: "A", last_message_at: NOW + MOST, last_complete_set_at: null, last_rate_plan_set_at: NOW - MOST, distribution: null },
      { property: "B", last_message_at: NOW + MOST + 1, last_complete_set_at: NOW + MOST, last_rate_plan_set_at: null, distribution: null },
    ];
    await database.write.insertInto(table).values(rows).execute();
    await pullBack(database, { table, columns: ["last_message_at", "last_complete_set_at"], now: NOW, most: MOST });
    const stored = await database.read.selectFrom(table).selectAll().orderBy("property").execute();
    const expected = [rows[0], { ...rows[1], last_message_at: NOW }];
    assert.deepEqual(
      stored.map((row) => ({ ...row })),
      expected,
    );
  });
});
