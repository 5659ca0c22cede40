import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { clampFutureTimes } from "./clamp-times.ts";

const NOW = 1_000_000;
const MAX_AHEAD = 500;

eachEngine("pulling back future times", (open) => {
  test("resets only stored times that are too far in the future", async () => {
    const database = await open();
    const table = "property_activity";
    const rows = [
      {
        property: "A",
        last_message_at: NOW + MAX_AHEAD,
        last_complete_set_at: null,
        last_rate_plan_set_at: NOW - MAX_AHEAD,
        distribution: null,
      },
      {
        property: "B",
        last_message_at: NOW + MAX_AHEAD + 1,
        last_complete_set_at: NOW + MAX_AHEAD,
        last_rate_plan_set_at: null,
        distribution: null,
      },
    ];
    await database.write.insertInto(table).values(rows).execute();
    await clampFutureTimes(database, { table, columns: ["last_message_at", "last_complete_set_at"], now: NOW, maxAhead: MAX_AHEAD });
    const stored = await database.read.selectFrom(table).selectAll().orderBy("property").execute();
    const expected = [rows[0], { ...rows[1], last_message_at: NOW }];
    assert.deepEqual(
      stored.map((row) => ({ ...row })),
      expected,
    );
  });
});
