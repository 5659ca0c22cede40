import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { startApp, type TestApp } from "../../test/support/app.ts";
import { ADMIN_PASSWORD, basic, TWO_ROLES, VIEWER_PASSWORD } from "../../test/support/sign-in.ts";

const PAGES = ["/property", "/category", "/inventories", "/rates"];

describe("the ETag of a page", () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startApp();
  });
  afterEach(() => service.close());

  const revalidate = (url: string, tag: unknown) => service.inject({ url, headers: { "if-none-match": String(tag) } });

  test("a page with an ETag is not sent again if nothing changed", async () => {
    for (const url of PAGES) {
      const { headers } = await service.inject(url);
      const again = await revalidate(url, headers.etag);
      assert.deepEqual([again.statusCode, again.body, again.headers["content-type"]], [304, "", undefined], url);
      assert.deepEqual([again.headers.etag, again.headers.vary], [headers.etag, headers.vary], url);
    }
  });

  test("the ETag of a page matches a tag in a list, a strong tag and *", async () => {
    const tag = String((await service.inject("/property")).headers.etag);
    for (const header of [`"x", ${tag}`, tag.replace("W/", ""), "*"])
      assert.equal((await revalidate("/property", header)).statusCode, 304, header);
    assert.equal((await revalidate("/property", '"x"')).statusCode, 200);
  });

  test("a page has no ETag if the query is invalid", async () => {
    for (const url of ["/property?status=x", "/inventories?days=x"]) {
      const { statusCode, headers } = await revalidate(url, "*");
      assert.deepEqual([statusCode, headers.etag], [422, undefined], url);
    }
  });

  test("the ETag of a page is different for each colour scheme and role", async () => {
    await using guarded = await startApp({ database: service.database, settings: TWO_ROLES });
    const tagOf = async (headers: Record<string, string>) => (await guarded.inject({ url: "/property", headers })).headers.etag;
    const tags = [
      await tagOf(basic(ADMIN_PASSWORD)),
      await tagOf({ ...basic(ADMIN_PASSWORD), cookie: "theme=dark" }),
      await tagOf(basic(VIEWER_PASSWORD)),
    ];
    assert.equal(new Set(tags).size, 3);
  });

  test("a page has no ETag while it shows a flash message", async () => {
    const visitor = service.visitor();
    await visitor.post("/property/new", { code: "A1", name: "One" });
    const saved = await visitor.get("/property");
    assert.match(saved.body, /Property A1 was created/);
    assert.equal(saved.headers.etag, undefined);
    assert.doesNotMatch((await visitor.get("/property")).body, /role="status"/);
  });
});
