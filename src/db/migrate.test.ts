import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../test/support/app.ts";
import { openFresh } from "../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, TODAY } from "../../test/support/hotel.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open.ts";

test("each schema of a database has a Roomrack of its own", async () => {
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
