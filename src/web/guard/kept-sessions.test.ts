import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import type { Database } from "../../db/database.ts";

eachEngine("Kept sessions", (open, makePlace) => {
  let other: Database;
  let service: TestApp;
  let visitor: Visitor;

  beforeEach(async () => {
    const place = await makePlace();
    service = await startApp({ database: await open(place) });
    other = await open(place);
    visitor = service.visitor();
    await visitor.get("/property/new");
  });
  afterEach(() => service.close());

  const hits = async () => {
    const { caches } = (await service.inject("/tools/caches?format=json")).json<{ caches: { name: string; hits: number }[] }>();
    return caches.find((cache) => cache.name === "sessions")!.hits;
  };

  test("a visitor who looks on is not looked up again", async () => {
    await visitor.get("/property");
    const before = await hits();
    await visitor.get("/property");
    await visitor.get("/category");
    assert.equal(await hits(), before + 2);
  });

  test("a session that another process ended is over at once", async () => {
    await visitor.get("/property");
    await other.write.deleteFrom("session").execute();
    await nextTurn();
    const answer = await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" });
    assert.equal(answer.statusCode, 403);
    assert.match(answer.body, /Invalid CSRF token/);
  });

  test("a sentence that another process keeps for the visitor is shown, once", async () => {
    await visitor.get("/property");
    const session = await other.read.selectFrom("session").selectAll().executeTakeFirstOrThrow();
    const data = JSON.stringify({ ...JSON.parse(session.data), flash: "Told elsewhere" });
    await other.write.updateTable("session").set({ data }).execute();
    await nextTurn();
    assert.match((await visitor.get("/property")).body, /Told elsewhere/);
    assert.doesNotMatch((await visitor.get("/property")).body, /Told elsewhere/);
  });
});
