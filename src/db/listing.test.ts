import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { openHotels } from "../../test/support/work.ts";
import { countRecords } from "../records/counts.ts";
import { countRows } from "./listing.ts";

eachEngine("countRows", (open) => {
  test("countRows stops counting at 2,000 rows", async () => {
    const database = await openHotels(open);
    assert.deepEqual(await countRecords(database, "property"), { total: 2, exact: true });
    assert.deepEqual(await countRecords(database, "category"), { total: 4, exact: true });
    const many = ["a", "b", "c", "d", "e", "f"].map((name) => `category as ${name}` as const);
    assert.deepEqual(await countRows(database, database.read.selectFrom(many).select("a.code as key")), { total: 2_000, exact: false });
  });
});
