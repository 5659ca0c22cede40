import assert from "node:assert/strict";
import { before, test } from "node:test";
import { eachEngine, type Place } from "./databases.ts";

eachEngine("eachEngine", (open, makePlace) => {
  let kept: Place;

  before(async () => {
    kept = await makePlace();
    const database = await open(kept);
    await insert(database, "kept");
  });

  test("`open` returns a new migrated database each time", async () => {
    const first = await open();
    const second = await open();
    await insert(first, "a");
    assert.deepEqual(await names(first), ["a"]);
    assert.deepEqual(await names(second), []);
  });

  test("a database opened in a before hook is kept for all tests", async () => {
    const database = await open(kept);
    assert.deepEqual(await names(database), ["kept"]);
    await database.close();
    await database.close();
  });
});

type Opened = Awaited<ReturnType<Parameters<Parameters<typeof eachEngine>[1]>[0]>>;

async function insert(database: Opened, name: string): Promise<void> {
  await database.write.insertInto("secret").values({ name, value: "", created_at: 0 }).execute();
}

async function names(database: Opened): Promise<string[]> {
  const rows = await database.read.selectFrom("secret").select("name").execute();
  return rows.map((row) => row.name);
}
