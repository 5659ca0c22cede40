import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { makeCategory, makeProperty, textOf } from "../../../test/support/hotel.ts";

eachEngine("the row selection", (open) => {
  test("exports selected rows as CSV in the order given, ignoring filters", async () => {
    await using service = await withHotels(await open());
    const { headers, body } = await service.inject(
      "/property?status=inactive&q=none&page=7&chosen=&chosen=C1&chosen=A1&chosen=C1&format=csv",
    );
    assert.equal(headers["content-type"], "text/csv; charset=utf-8");
    assert.deepEqual(body.match(/^\w+(?=,)/gm), ["C1", "A1"]);
    const categories = await service.inject("/category?chosen=B1%2FDBL&chosen=A1%2FDBL&format=csv");
    assert.deepEqual(categories.body.match(/^\w+,\w+(?=,)/gm), ["B1,DBL", "A1,DBL"]);
  });

  test("exports selected rows as JSON, by format or Accept header", async () => {
    await using service = await withHotels(await open());
    const json = await service.inject("/property?chosen=C1&chosen=A1&format=json");
    const { properties, ...count } = json.json<{ properties: { code: string; name: string }[] }>();
    assert.deepEqual(
      properties.map(({ code, name }) => [code, name]),
      [
        ["C1", "Hotel C1"],
        ["A1", "Hotel A1"],
      ],
    );
    assert.deepEqual(count, { total: 2, exact: true, page: 1, size: 2 });
    const accepted = await service.inject({ url: "/category?chosen=A1/DBL", headers: { accept: "application/json" } });
    assert.deepEqual(
      accepted.json<{ categories: { hotelCode: string }[] }>().categories.map(({ hotelCode }) => hotelCode),
      ["A1"],
    );
  });

  test("the row selection has a checkbox for each row, and a link to select all rows or none", async () => {
    await using service = await withHotels(await open());
    const { body } = await service.inject("/property?sort=-code&size=25&status=active");
    assert.match(body, /<form class="selection" method="get" action="\/property">/);
    assert.match(body, /<input type="checkbox" name="chosen" value="A1" aria-label="Hotel A1"\s*\/>/);
    assert.doesNotMatch(body, /checked/);
    const [, to] = /<a id="f-chosen" href="([^"]+)"/.exec(body)!;
    assert.equal(to, "/property?status=active&amp;sort=-code&amp;size=25&amp;all=1");
    const all = (await service.inject(to.replaceAll("&amp;", "&"))).body;
    assert.equal(all.match(/type="checkbox"[^>]* checked/g)?.length, 3);
    assert.match(all, /<a id="f-chosen" href="\/property\?status=active&amp;sort=-code&amp;size=25">None/);
    const categories = (await service.inject("/category?all=1")).body;
    assert.match(categories, /name="chosen" value="A1\/DBL" aria-label="Double" checked/);
  });

  test("refuses an empty selection, too many rows and unknown keys", async () => {
    await using service = await withHotels(await open());
    const many = Array.from({ length: 101 }, (_, at) => `chosen=A${at}`).join("&");
    for (const [query, message] of [
      ["chosen=", /Select at least one row/],
      [many, /Select at most 100 rows, not 101/],
      ["chosen=A1&chosen=a1", /Select rows in this list; it has no “a1”/],
      ["chosen=A1%00", /it has no “A1\uFFFD?/],
      [`chosen=${"x".repeat(9_000)}`, /it has no “x{40}…”/],
    ] as const) {
      const page = await service.inject(`/property?${query}&format=csv`);
      assert.equal(page.statusCode, 422, query);
      assert.match(textOf(page), message);
      assert.match(page.body, /<title>Error: Properties/);
      assert.match(page.body, /href="#f-chosen"/);
      const json = await service.inject(`/property?${query}&format=json`);
      assert.equal(json.statusCode, 422, query);
      assert.match(json.json<{ errors: { chosen: string } }>().errors.chosen, message);
    }
    for (const key of ["A1", "A1/DBL/x", "A1/SGL", "/", "A1/", "A1%2FDBL%00"])
      assert.equal((await service.inject(`/category?chosen=${key}&format=csv`)).statusCode, 422, key);
  });

  test("keeps the selection, search and sort order after a refusal", async () => {
    await using service = await withHotels(await open());
    for (const [url, key, other] of [
      ["/property?status=active&q=hotel&sort=-code&size=25", "A1", "B1"],
      ["/category?status=active&hotelCode=A1&q=dbl&sort=-hotelCode", "A1/DBL", "B1/DBL"],
    ] as const) {
      const { body } = await service.inject(url);
      const form = /<form class="selection"[^]*?<\/form>/.exec(body)![0];
      const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]);
      const sent = new URLSearchParams([...hidden, ["chosen", key], ["chosen", "gone"], ["format", "csv"]]);
      const refused = await service.inject(`${url.split("?", 1)[0]}?${sent.toString()}`);
      assert.equal(refused.statusCode, 422, url);
      assert.deepEqual(hrefsOf(refused.body), hrefsOf(body), url);
      assert.ok(refused.body.includes(`value="${key}" aria-label="${key === "A1" ? "Hotel A1" : "Double"}" checked`), url);
      assert.doesNotMatch(refused.body, new RegExp(`value="${other}"[^>]* checked`));
    }
  });

  test("the row selection in the URL does not filter the page", async () => {
    await using service = await withHotels(await open());
    assert.match(textOf(await service.inject("/property?chosen=A1")), /1–3 of 3/);
  });
});

function hrefsOf(body: string): string[] {
  return [...body.matchAll(/href="([^"#]+)"/g)].map(([, to = ""]) => to).filter((to) => !to.startsWith("?"));
}

async function withHotels(database: TestApp["database"]): Promise<TestApp> {
  const service = await startApp({ database });
  for (const code of ["A1", "B1", "C1"]) {
    await makeProperty(service, { code, name: `Hotel ${code}` });
    await makeCategory(service, { hotelCode: code, code: "DBL", name: "Double" });
  }
  return service;
}
