import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startApp, type TestApp } from "../../test/support/app.ts";
import { eachEngine, type Place } from "../../test/support/databases.ts";
import { ADMIN_PASSWORD, basic, TWO_ROLES, VIEWER_PASSWORD } from "../../test/support/sign-in.ts";
import { propertyRow } from "../cli/seed/records.ts";
import type { Database } from "../db/database.ts";
import { sorted } from "../db/sort-name.ts";

eachEngine("Kept pages", (open, makePlace) => {
  let place: Place;
  let database: Database;
  let service: TestApp;

  beforeEach(async () => {
    place = await makePlace();
    database = await open(place);
    service = await startApp({ database });
  });
  afterEach(() => service.close());

  const add = (to: Database, index: number) =>
    to.write
      .insertInto("property")
      .values(sorted(propertyRow(index, 0)))
      .execute();
  const hits = async () => {
    const { caches } = (await service.inject("/tools/caches?format=json")).json<{ caches: { name: string; hits: number }[] }>();
    return caches.find((cache) => cache.name === "pages")!.hits;
  };

  test("an unchanged list is answered again without being made, and the same to the byte", async () => {
    await add(database, 0);
    const first = await service.inject("/property");
    const before = await hits();
    const second = await service.inject("/property");
    assert.equal(await hits(), before + 1);
    assert.equal(second.body, first.body);
    assert.equal(second.headers.etag, first.headers.etag);
    assert.equal(second.headers["content-type"], first.headers["content-type"]);
    const again = await service.inject({ url: "/property", headers: { "if-none-match": String(first.headers.etag) } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, "");
  });

  test("an unchanged grid is, too", async () => {
    for (const grid of ["/inventories", "/rates"]) {
      const first = await service.inject(grid);
      const before = await hits();
      assert.equal((await service.inject(grid)).body, first.body);
      assert.equal(await hits(), before + 1, grid);
    }
  });

  test("a tag is known in a list, without its W/ and as a star, whether the page is kept or made", async () => {
    const { headers } = await service.inject("/property");
    const tag = String(headers.etag);
    for (const given of [`"x", ${tag}`, tag.replace("W/", ""), "*"]) {
      const ask = async () => (await service.inject({ url: "/property", headers: { "if-none-match": given } })).statusCode;
      assert.equal(await ask(), 304, `${given}, kept`);
      service.clock.set(service.clock.now() + 61_000);
      assert.equal(await ask(), 304, `${given}, made`);
    }
  });

  test("a page that refuses what was asked has no tag, so that it is told each time", async () => {
    for (const url of ["/property?status=x", "/inventories?days=x"]) {
      const { statusCode, headers } = await service.inject({ url, headers: { "if-none-match": "*" } });
      assert.deepEqual([statusCode, headers.etag], [422, undefined], url);
    }
  });

  test("what is not sent again varies as it did when it was sent", async () => {
    const ask = async (tag = "") => (await service.inject({ url: "/property", headers: { "if-none-match": tag } })).headers;
    const { vary, etag } = await ask();
    assert.equal(vary, "accept, accept-encoding");
    assert.equal((await ask(etag)).vary, vary, "kept");
    service.clock.set(service.clock.now() + 61_000);
    assert.equal((await ask(etag)).vary, vary, "made");
  });

  test("a write of this process is seen at once", async () => {
    await service.inject("/property");
    await add(database, 1);
    assert.match((await service.inject("/property")).body, /SEED00002/);
  });

  test("a write of another process is seen at once", async () => {
    await service.inject("/property");
    const other = await open(place);
    await add(other, 2);
    await nextTurn();
    assert.match((await service.inject("/property")).body, /SEED00003/);
  });

  test("a kept page comes in the coding that is asked for, and as plain text to whom asks for none", async () => {
    for (let index = 10; index < 20; index++) await add(database, index);
    const plain = await service.inject("/property");
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const coding of ["br", "gzip"] as const) {
      for (let turn = 0; turn < 2; turn++) {
        const coded = await service.inject({ url: "/property", headers: { "accept-encoding": `x, ${coding}` } });
        assert.equal(coded.headers["content-encoding"], coding);
        assert.equal(coded.headers.vary, "accept, accept-encoding");
        assert.match(decoders[coding](coded.rawPayload).toString(), /SEED00020/);
      }
    }
    const refused = await service.inject({ url: "/property", headers: { "accept-encoding": "br;q=0, gzip;q=0" } });
    assert.equal(refused.headers["content-encoding"], undefined);
    assert.equal(refused.headers.vary, "accept, accept-encoding");
    assert.equal(refused.body, plain.body);
  });

  test("each choice of colours has its own page", async () => {
    await service.inject("/property");
    const dark = await service.inject({ url: "/property", headers: { cookie: "theme=dark" } });
    assert.match(dark.body, /data-theme="dark"/);
  });

  test("a page is made anew after a minute, as today goes on", async () => {
    await service.inject("/property");
    const before = await hits();
    service.clock.set(service.clock.now() + 61_000);
    await service.inject("/property");
    assert.equal(await hits(), before);
  });

  test("what was saved is told once, and then no longer", async () => {
    const visitor = service.visitor();
    await visitor.get("/property");
    await visitor.get("/property/new");
    const { headers } = await visitor.post("/property/new", {
      code: "A1",
      name: "One",
      currency: "EUR",
      timeZone: "UTC",
      propertyType: "20",
      status: "active",
      horizonDays: "750",
    });
    assert.match((await visitor.get("/property")).body, /role="status"/);
    assert.equal(headers.location, "/property/A1");
    assert.doesNotMatch((await visitor.get("/property")).body, /role="status"/);
  });

  test("what was saved is told on a page that others have kept, and to nobody else", async () => {
    const visitor = service.visitor();
    await visitor.post("/property/new", { code: "A1", name: "One" });
    const before = (await service.inject("/property")).body;
    assert.match((await visitor.get("/property")).body, /Property A1 was created/);
    assert.equal((await service.inject("/property")).body, before);
  });

  test("administrators and viewers have each their own page", async () => {
    await using guarded = await startApp({ database, settings: TWO_ROLES });
    const ask = async (password: string) => (await guarded.inject({ url: "/property", headers: basic(password) })).body;
    for (let turn = 0; turn < 2; turn++) {
      assert.match(await ask(ADMIN_PASSWORD), /New property/);
      assert.doesNotMatch(await ask(VIEWER_PASSWORD), /New property/);
    }
  });
});
