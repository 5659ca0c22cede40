import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../test/support/app.ts";
import { eachEngine, openFresh } from "../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, TODAY } from "../../test/support/hotel.ts";
import type { Database } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open.ts";

test("keeps the data of different schemas in one database separate", async () => {
  const { database: first, place, remove } = await openFresh("PostgreSQL");
  await sql`create schema other`.execute(first.write);
  const database = await openDatabase(`${place.url}?options=-csearch_path%3Dother`, place.folder);
  try {
    assert.ok((await migrate(database)).length > 0);
    const service = await startApp({ database });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] }));
    assert.equal((await service.inject("/tools/dbsync?format=json")).json<{ inStep: boolean }>().inStep, true);
    const { rows } = await sql`select code from property`.execute(first.read);
    assert.deepEqual(rows, []);
  } finally {
    await database.close();
    await remove();
  }
});

eachEngine("schema changes", (open, makePlace) => {
  test("schema changes run one at a time across two processes", async () => {
    const place = await makePlace();
    const steps: string[] = [];
    const change = (database: Database, name: string) =>
      database.alter(async (db) => {
        steps.push(name);
        await sql`create table ${sql.table(name)} (code text)`.execute(db);
        for (let turn = 0; turn < 5; turn++) await sql`select code from ${sql.table(name)}`.execute(db);
        steps.push(name);
      });
    await Promise.all([change(await open(place), "lift"), change(await open(place), "stairs")]);
    assert.equal(steps[0], steps[1], steps.join(", "));
  });
});
