import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuTime } from "../../test/support/cpu.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { categoryRow, propertyCode, propertyRow } from "../cli/seed/records.ts";
import { migrateWithBackup } from "../cli/store.ts";
import { fixedClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import type { Database } from "../db/database.ts";
import { completeRecords } from "./migrate.ts";
import { withSortName } from "./sort-name.ts";

const PROPERTIES = 120;
const CATEGORIES = 40;
const RECORDS = PROPERTIES + PROPERTIES * CATEGORIES;

eachEngine("missing search text", (open) => {
  const fill = async ({ write }: Database) => {
    const properties = Array.from({ length: PROPERTIES }, (_, index) => propertyRow(index, 0));
    await write.insertInto("property").values(properties.map(withSortName)).execute();
    for (let index = 0; index < CATEGORIES; index++) {
      const rows = properties.map((_, at) => categoryRow(propertyCode(at), index, 0));
      await write.insertInto("category").values(rows.map(withSortName)).execute();
    }
  };
  const found = async ({ read }: Database) => (await read.selectFrom("search_text").select("code").execute()).length;

  test("adds missing search text to many records quickly", async () => {
    const database = await open();
    const filling = await cpuTime(() => fill(database));
    const indexing = await cpuTime(() => completeRecords(database));
    assert.equal(await found(database), RECORDS);
    assert.ok(indexing < 15 * filling, `${indexing} ms, ${filling} ms to write the records`);
  });

  test("adds missing search text even if a previous startup was interrupted after migrating", async () => {
    const database = await open();
    await fill(database);
    assert.deepEqual(await migrateWithBackup(database, readConfig({}), fixedClock(0)), []);
    assert.equal(await found(database), RECORDS);
  });

  test("looks for missing search text again only if a migration asks for it", async () => {
    const database = await open();
    await fill(database);
    await completeRecords(database);
    await database.write.deleteFrom("search_text").execute();
    await completeRecords(database);
    assert.equal(await found(database), 0);
    await database.write.deleteFrom("backfill").execute();
    await completeRecords(database);
    assert.equal(await found(database), RECORDS);
  });

  test("adds missing search text once if two processes start concurrently", async () => {
    const database = await open();
    await fill(database);
    await Promise.all([completeRecords(database), completeRecords(database)]);
    assert.equal(await found(database), RECORDS);
  });
});
