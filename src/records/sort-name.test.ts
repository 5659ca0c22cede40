import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { up as emptyKeys } from "../../migrations/0008-numbers-in-names.ts";
import { startApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { fillDatabase } from "../cli/seed/fill.ts";
import { migrateWithBackup } from "../cli/store.ts";
import { fixedClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import type { Database } from "../db/database.ts";
import { completeRecords } from "./migrate.ts";
import { withSortName, toSortName } from "./sort-name.ts";

const AMOUNTS = { properties: 700, categories: 2, plans: 0, nights: 0, errors: 0, messages: 0 };

eachEngine("sort keys for names", (open) => {
  /** Opens a database whose rows come from a version without sort keys. */
  const openUnsorted = async () => {
    const database = await open();
    await fillDatabase(database, AMOUNTS, { now: 0, progress: () => {} });
    for (const [code, name] of [
      ["SEED00001", "Österle"],
      ["SEED00700", "Écrin"],
    ] as const)
      await database.write.updateTable("property").set({ name }).where("code", "=", code).execute();
    for (const table of ["property", "category"]) await sql`update ${sql.table(table)} set sort_name = ''`.execute(database.write);
    return database;
  };
  const assertSorted = async ({ read }: Database) => {
    for (const table of ["property", "category"] as const) {
      const rows = await read.selectFrom(table).select(["name", "sort_name"]).execute();
      assert.equal(rows.length, table === "property" ? AMOUNTS.properties : AMOUNTS.properties * AMOUNTS.categories);
      for (const { name, sort_name } of rows) assert.equal(sort_name, toSortName(name));
    }
  };

  test("adds missing sort keys even if a previous startup was interrupted after migrating", async () => {
    const database = await openUnsorted();
    assert.deepEqual(await migrateWithBackup(database, readConfig({}), fixedClock(0)), []);
    await assertSorted(database);
    await using service = await startApp({ database });
    const { body } = await service.inject("/property?format=csv&sort=name");
    const lines = body.trimEnd().split("\r\n").slice(1);
    const names = lines.map((line) => line.split(",", 2)[1]!);
    assert.deepEqual(names, names.toSorted(new Intl.Collator("en", { numeric: true }).compare));
  });

  test("sorts numbers in names by value, before letters", () => {
    const names = [
      "Room",
      "Room 2",
      "Room 2 a",
      "Room 007",
      "Room 10",
      "Room 10b",
      "Room 100",
      "Room 123456789",
      "Room 1234567890",
      "Room 98765432109876543210",
      "Room A",
      "Suite 1",
    ];
    const byKey = names.toReversed().toSorted((a, b) => Buffer.compare(Buffer.from(toSortName(a)), Buffer.from(toSortName(b))));
    assert.deepEqual(byKey, names);
  });

  test("replaces sort keys from a version that did not sort numbers by value", async () => {
    const database = await open();
    await fillDatabase(database, { ...AMOUNTS, properties: 12 }, { now: 0, progress: () => {} });
    await database.write.updateTable("property").set({ sort_name: "of old" }).execute();
    for (const statement of emptyKeys()) await sql.raw(statement).execute(database.write);
    await completeRecords(database);
    const rows = await database.read.selectFrom("property").select(["name", "sort_name"]).execute();
    for (const { name, sort_name } of rows) assert.equal(sort_name, toSortName(name));
  });

  test("adds missing sort keys if two processes start concurrently", async () => {
    const database = await openUnsorted();
    await Promise.all([completeRecords(database), completeRecords(database)]);
    await assertSorted(database);
  });

  test("keeps sort keys short enough for an index, even for long names whose letters decompose", async () => {
    const database = await openUnsorted();
    const name = "\u{fdfa}".repeat(255);
    await database.write.updateTable("category").set(withSortName({ name })).where("code", "=", "C01").execute();
    await sql`update category set sort_name = ''`.execute(database.write);
    await completeRecords(database);
    await assertSorted(database);
  });
});
