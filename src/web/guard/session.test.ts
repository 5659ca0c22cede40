import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { sql } from "kysely";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { makeProperty, textOf } from "../../../test/support/hotel.ts";
import { signInByForm, TWO_ROLES } from "../../../test/support/sign-in.ts";

const refuse = (write: "insert" | "update" | "delete") =>
  sql.raw(`create trigger no_${write} before ${write} on session begin select raise(abort, 'disk is full'); end`);

test("shows a page even if the session cannot be stored", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  await visitor.get("/property/new");
  assert.equal((await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" })).statusCode, 303);
  await refuse("update").execute(service.database.write);
  const page = await visitor.get("/property/ALP");
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /Property ALP was created/);
});

test("shows forms while no session can be created, and accepts forms again later", async () => {
  await using service = await startApp();
  await makeProperty(service, { code: "ALP", name: "Alpenblick" });
  await service.inject("/nowhere");
  await service.inject({ method: "POST", url: "/channel", headers: { "content-type": "application/xml" }, payload: "<a/>" });
  await refuse("insert").execute(service.database.write);
  const visitor = service.visitor();
  const pages = ["/property/ALP/edit", "/tools/errors", "/tools/errors/1", "/dev/logs/1", "/dev/logs?view=removal&days=0", "/dev/channel"];
  for (const path of [...pages, "/tools/dbsync", "/tools/caches"]) assert.equal((await visitor.get(path)).statusCode, 200, path);
  const refused = await visitor.post("/property/ALP/edit", { name: "Typed" });
  assert.equal(refused.statusCode, 403);
  assert.match(textOf(refused), /Invalid CSRF token .* Name Typed Submit again/);
  await sql.raw("drop trigger no_insert").execute(service.database.write);
  assert.equal((await visitor.post("/property/ALP/edit", { name: "Typed" })).statusCode, 303);
});

test("keeps a flash message while an earlier request is still running", async () => {
  await using service = await startApp();
  const page = await service.inject("/property/new");
  const cookies = Object.fromEntries(page.cookies.map(({ name, value }) => [name, value]));
  const [, _csrf = ""] = /name="_csrf" value="([^"]+)"/.exec(page.body) ?? [];
  const send = (url: string, payload: string | Readable) =>
    service.inject({ method: "POST", url, cookies, headers: { "content-type": "application/x-www-form-urlencoded" }, payload });
  service.clock.set(service.clock.now() + HOUR_MS);
  const begun = Promise.withResolvers<void>();
  const body = new Readable({ read: () => begun.resolve() });
  const slow = send("/tools", body);
  await begun.promise;
  assert.equal((await send("/property/new", new URLSearchParams({ _csrf, code: "ALP", name: "Alpenblick" }).toString())).statusCode, 303);
  body.push("a=b");
  body.push(null);
  assert.equal((await slow).statusCode, 200);
  assert.match((await service.inject({ url: "/property/ALP", cookies })).body, /Property ALP was created/);
});

const HOUR_MS = 3_600_000;

test("ends sessions that have been idle for SESSION_IDLE_HOURS or were created SESSION_MAX_DAYS ago", async () => {
  await using service = await startApp({ settings: { ...TWO_ROLES, SESSION_IDLE_HOURS: "2", SESSION_MAX_DAYS: "1" } });
  const start = service.clock.now();
  const { visitor: idle } = await signInByForm(service);
  const { visitor: busy } = await signInByForm(service);
  const statusAt = async (visitor: typeof idle, hours: number) => {
    service.clock.set(start + hours * HOUR_MS);
    return (await visitor.get("/property")).statusCode;
  };
  assert.equal(await statusAt(idle, 1.9), 200);
  for (let hours = 1.9; hours < 24; hours += 1.9) assert.equal(await statusAt(busy, hours), 200, `after ${hours} hours`);
  assert.equal(await statusAt(idle, 22.8), 401);
  assert.equal(await statusAt(busy, 24.1), 401);
});

eachEngine("sessions shared by several processes", (open, makePlace) => {
  test("sessions shared by several processes end immediately if one process removes them", async () => {
    const place = await makePlace();
    await using service = await startApp({ database: await open(place) });
    const other = await open(place);
    const visitor = service.visitor();
    await visitor.get("/property/new");
    await other.write.deleteFrom("session").execute();
    const answer = await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" });
    assert.equal(answer.statusCode, 403);
    assert.match(answer.body, /Invalid CSRF token/);
  });

  test("sessions shared by several processes show a flash message from another process once", async () => {
    const place = await makePlace();
    await using service = await startApp({ database: await open(place) });
    const other = await open(place);
    const visitor = service.visitor();
    await visitor.get("/property/new");
    const session = await other.read.selectFrom("session").selectAll().executeTakeFirstOrThrow();
    const data = JSON.stringify({ ...JSON.parse(session.data), flash: "Saved elsewhere" });
    await other.write.updateTable("session").set({ data }).execute();
    assert.match((await visitor.get("/property")).body, /Saved elsewhere/);
    assert.doesNotMatch((await visitor.get("/property")).body, /Saved elsewhere/);
  });
});

test("ends a session eight hours after its last use", async () => {
  await using service = await startApp();
  const [early, late] = [service.visitor(), service.visitor()];
  for (const visitor of [early, late]) await visitor.get("/property/new");
  service.clock.set(service.clock.now() + 8 * HOUR_MS);
  assert.equal((await early.post("/property/new", { code: "ALP", name: "Alpenblick" })).statusCode, 303);
  service.clock.set(service.clock.now() + 1);
  assert.equal((await late.post("/property/new", { code: "BET", name: "Betten" })).statusCode, 403);
});

test("ends and removes a session a week after its creation", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  await visitor.get("/property/new");
  for (let hours = 0; hours < 7 * 24; hours += 6) {
    service.clock.set(service.clock.now() + 6 * HOUR_MS);
    await visitor.get("/property");
  }
  assert.equal((await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" })).statusCode, 303);
  service.clock.set(service.clock.now() + 1);
  await visitor.get("/property");
  const kept = await service.database.read.selectFrom("session").selectAll().execute();
  assert.deepEqual(kept, []);
});

test("shows pages even if an expired session cannot be deleted", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  await visitor.get("/property/new");
  await refuse("delete").execute(service.database.write);
  service.clock.set(service.clock.now() + 8 * HOUR_MS + 1);
  for (const path of ["/property", "/tools/errors"]) assert.equal((await visitor.get(path)).statusCode, 200, path);
  assert.equal((await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" })).statusCode, 403);
});
