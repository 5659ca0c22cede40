import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { eachEngine } from "../../test/support/databases.ts";
import { migrationHistory, migrationScripts } from "./migrate.ts";

eachEngine("schema catalog", (open) => {
  test("the schema of a migrated database matches its migrations", async () => {
    const database = await open();
    const scripts = await migrationScripts(database.columnTypes);
    const declared = await database.catalog.draft(scripts.flatMap((script) => script.statements));
    const live = await database.catalog.read(database.read);
    assert.deepEqual(live, declared);
    assert.ok(declared.some((table) => table.name === "property" && table.columns.length > 20 && table.indexes.length > 0));
  });

  test("leaves no tables behind after it drafts a schema", async () => {
    const database = await open();
    const [made] = await database.catalog.draft(["create table lift (code text primary key, floor real not null)"]);
    assert.equal(made?.name, "lift");
    assert.match(made.columns[1]!.definition, /^(?:real|float4) not null$/);
    const live = await database.catalog.read(database.read);
    assert.ok(live.every((table) => table.name !== "lift"));
  });

  test("distinguishes indexes that differ only in quoted text", async () => {
    const database = await open();
    const index = "create index lift_up on lift (code)   WHERE code = ";
    const drafted = async (word: string) => {
      const [made] = await database.catalog.draft(["create table lift (code text primary key)", `${index} '${word}'`]);
      return made!.indexes.map(({ create }) => create).join("\n");
    };
    assert.match(await drafted("Up  there"), /^create index lift_up on lift.*where.*'Up  there'/);
    assert.notEqual(await drafted("Up"), await drafted("up"));
  });

  test("returns SQL that recreates the same table", async () => {
    const database = await open();
    const before = await database.catalog.read(database.read);
    const table = before.find(({ name }) => name === "error_entry")!;
    await sql.raw("drop table error_entry").execute(database.write);
    await sql.raw(table.create).execute(database.write);
    for (const index of table.indexes) await sql.raw(index.create).execute(database.write);
    assert.deepEqual(await database.catalog.read(database.read), before);
  });

  test("estimates the number of rows of each table", async () => {
    const database = await open();
    const secrets = ["one", "two", "three"].map((name) => ({ name, value: "x", created_at: 1 }));
    await database.write.insertInto("secret").values(secrets).execute();
    await sql`analyze`.execute(database.write);
    assert.equal((await database.catalog.estimateRows()).get("secret"), 3);
  });

  test("doesn't mistake a large id for a row count", async () => {
    const database = await open();
    await sql.raw(`create table hashed (id ${database.columnTypes.integer} primary key)`).execute(database.write);
    await sql.raw("insert into hashed values (215794774371744)").execute(database.write);
    assert.ok(((await database.catalog.estimateRows()).get("hashed") ?? 0) <= 1);
  });

  test("lists the applied migrations in the history", async () => {
    const database = await open();
    const [first] = await migrationHistory(database);
    assert.equal(first?.name, "0001-first-tables");
    assert.match(first.at, /^\d{4}-\d\d-\d\dT/);
  });
});
