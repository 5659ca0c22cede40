import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { openHotels } from "../../test/support/work.ts";
import { prepareStatement } from "./prepared.ts";

const audit = (subject: string) => ({ at: 1, actor: "test", action: "noted", subject, detail: "" });

eachEngine("prepared queries", (open) => {
  test("prepared queries run with the values of each call", async () => {
    const { read } = await openHotels(open);
    const query = prepareStatement((db, { property, limit }: { property: string; limit: number }) =>
      db.selectFrom("category").select("code").where("property", "=", property).orderBy("code").limit(limit),
    );
    const codesOf = async (property: string, limit: number) => (await query(read, { property, limit })).map(({ code }) => code);
    const both = await codesOf("H1", 2);
    assert.equal(both.length, 2);
    assert.deepEqual(await codesOf("H1", 1), both.slice(0, 1));
    assert.deepEqual(await codesOf("NONE", 2), []);
    assert.deepEqual(await codesOf("H1", 2), both);
  });

  test("prepared queries can contain constants, and bind values by name", async () => {
    const { read, write } = await openHotels(open);
    await write.insertInto("audit").values(["a", "b", "c"].map(audit)).execute();
    const query = prepareStatement((db, { first, last }: { first: string; last: string }) =>
      db.selectFrom("audit").select("subject").where("actor", "=", "test").where("subject", ">=", first).where("subject", "<=", last),
    );
    const found = await query(read, { first: "b", last: "c" });
    assert.deepEqual(found.map(({ subject }) => subject).toSorted(), ["b", "c"]);
  });

  test("prepared queries handle text containing NUL in the same way as other queries", async () => {
    const { read, write } = await openHotels(open);
    await write.insertInto("audit").values(audit("a\0b")).execute();
    const query = prepareStatement((db, { subject }: { subject: string }) =>
      db.selectFrom("audit").select("subject").where("subject", "=", subject),
    );
    assert.deepEqual(await query(read, { subject: "a\0b" }), [{ subject: "a\u{fffd}b" }]);
  });

  test("prepared queries are compiled per database", async () => {
    const [first, second] = [await openHotels(open), await openHotels(open)];
    await second.write.insertInto("audit").values(audit("x")).execute();
    const query = prepareStatement((db, { actor }: { actor: string }) =>
      db.selectFrom("audit").select("subject").where("actor", "=", actor),
    );
    assert.deepEqual([await query(first.read, { actor: "test" }), await query(second.read, { actor: "test" })], [[], [{ subject: "x" }]]);
  });
});
