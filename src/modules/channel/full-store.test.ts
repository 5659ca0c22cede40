import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, postXml, TODAY } from "../../../test/support/hotel.ts";
import type { Database } from "../../db/database.ts";

const COUNT = { control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] } as const;
/** Larger than the free space in a database page. */
const LARGE = countMessage(COUNT).replace("<Inventories", `<!-- ${crypto.getRandomValues(new Uint8Array(20_000)).toHex()} -->$&`);

eachEngine("A full disk", (open) => {
  test("refuses messages with Retry-After, stores none of them partially, and recovers once there is space again", async () => {
    const database = await open();
    const service = await startApp({ database });
    await makeHotel(service);
    const before = await countMessages(database);
    const visitor = service.visitor();
    await visitor.get("/category/new");
    const empty = await fill(database);
    const refused = await postXml(service, LARGE);
    assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [503, "30"]);
    assert.match(refused.body, /Type="12" Code="187"[^>]*>System currently unavailable - please try later</);
    const category = { hotelCode: "ALP", code: "BIG", name: "Big room", description: "y".repeat(9_000) };
    const page = await visitor.post("/category/new", category);
    assert.deepEqual([page.statusCode, page.headers["retry-after"]], [503, "30"]);
    assert.match(page.body, /The database is full; nothing was stored\. Free some disk space, then try again\./);
    assert.doesNotMatch(page.body, /\.ts:\d|53100|disk is full/);
    await empty();
    assert.equal(await countMessages(database), before);
    await postMessage(service, LARGE);
    await service.close();
  });
});

/** Makes writes fail as if the disk were full. Returns a function that ends this. */
async function fill(database: Database): Promise<() => Promise<unknown>> {
  const run = (text: string) => sql.raw(text).execute(database.write);
  if ((await database.describe()).engine === "SQLite") {
    await run("pragma max_page_count = 1");
    return () => run("pragma max_page_count = 1000000");
  }
  const tables = ["message", "category", "error_entry"];
  await run("create function refuse() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$");
  for (const table of tables) await run(`create trigger refuse before insert on ${table} for each statement execute function refuse()`);
  return () => Promise.all(tables.map((table) => run(`drop trigger refuse on ${table}`)));
}

async function countMessages({ read }: Database): Promise<number> {
  return (await read.selectFrom("message").select("id").execute()).length;
}
