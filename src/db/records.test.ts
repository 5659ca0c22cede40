import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine, openFresh } from "../../test/support/databases.ts";
import { addHotels, openHotels } from "../../test/support/work.ts";
import type { Database, Statement } from "./database.ts";

const NAME = { sql: "select name from property where code = ?", values: ["H1"], records: true } as const;
const rename = (name: string): Statement => ({ sql: "update property set name = ? where code = 'H1'", values: [name], records: true });

eachEngine("records cached by batches", (open, makePlace) => {
  test("records cached by batches are reloaded after another process changes them", async () => {
    const place = await makePlace();
    const [database, otherDatabase] = [await open(place), await open(place)];
    await addHotels(database);
    assert.equal(await nameOf(database), "Hotel H1");
    await otherDatabase.write.updateTable("property").set({ name: "Elsewhere" }).where("code", "=", "H1").execute();
    assert.equal(await nameOf(database), "Elsewhere");
    await change(otherDatabase, [rename("A batch otherDatabase")]);
    assert.equal(await nameOf(database), "A batch otherDatabase");
  });

  test("records cached by batches are reloaded after a page or another batch changes them", async () => {
    const database = await openHotels(open);
    await nameOf(database);
    await database.write.updateTable("property").set({ name: "A page" }).where("code", "=", "H1").execute();
    assert.equal(await nameOf(database), "A page");
    await Promise.all([nameOf(database), change(database, [rename("A batch")]), nameOf(database)]);
    assert.equal(await nameOf(database), "A batch");
  });

  test("records cached by batches don't change after a failed batch", async () => {
    const database = await openHotels(open);
    await change(database, [rename("Stays")]);
    const failed = change(database, [rename("Goes"), { sql: "insert into property (code) values (?)", values: ["H3"] }]);
    const [, name] = await Promise.allSettled([failed, nameOf(database)]);
    await assert.rejects(failed);
    assert.deepEqual(name, { status: "fulfilled", value: "Stays" });
  });
});

test("reloads records that were read in a failed SQLite transaction", async (t) => {
  // Puts all batches into one commit, even on a slow machine.
  t.mock.method(performance, "now", () => 0);
  const { database, remove } = await openFresh("SQLite");
  try {
    await addHotels(database);
    const orphan = "insert into rate_plan (property, code, status, first_seen_at, last_seen_at) values ('NONE', 'BAR', 'active', 0, 0)";
    const write = ["pragma defer_foreign_keys = on", orphan].map((one) => ({ sql: one, values: [] }));
    const [faulty, name] = await Promise.allSettled([change(database, [rename("Goes"), ...write]), nameOf(database)]);
    assert.equal(faulty.status, "rejected");
    assert.deepEqual(name, { status: "fulfilled", value: "Hotel H1" });
  } finally {
    await remove();
  }
});

function nameOf(database: Database): Promise<unknown> {
  return database.commit({ lock: "H1", read: [NAME], decide: ([rows]) => ({ write: [], result: rows![0]!.name }) });
}

function change(database: Database, write: readonly Statement[]): Promise<void> {
  return database.commit({ lock: "H1", read: [], decide: () => ({ write, result: undefined }) });
}
