import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { followPages, linkOf, rangeOf, rowsOf } from "../../../test/support/pages.ts";
import { fillDatabase } from "../../cli/seed/fill.ts";

eachEngine("the list of categories", (open) => {
  let service: TestApp;
  let visitor: Visitor;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
    visitor = service.visitor();
  });
  afterEach(() => service.close());

  const seed = (properties: number, categories: number) =>
    fillDatabase(
      service.database,
      { properties, categories, plans: 0, nights: 0, errors: 0, messages: 0 },
      { now: service.clock.now(), progress: () => {} },
    );
  const keysAt = async (query: string) => {
    const { categories } = (await visitor.get(`/category?format=json&size=100${query}`)).json();
    return (categories as { hotelCode: string; code: string }[]).map(({ hotelCode, code }) => `${hotelCode}/${code}`);
  };

  test("links to the next and previous page in every sort order", async () => {
    await seed(3, 30);
    for (const code of ["C05", "C20"]) await visitor.post(`/category/SEED00002/${code}/edit`, { status: "inactive", kind: "apartment" });
    const orders = ["hotelCode", "-hotelCode", "name", "-name", "code", "-kind", "rooms", "-guests", "status"].map(
      (sort) => `&sort=${sort}`,
    );
    const filtered = [
      "&status=active&sort=-name",
      "&q=seed&sort=code",
      "&hotelCode=SEED00002&sort=name",
      "&hotelCode=SEED00002&q=seed&sort=-rooms",
    ];
    for (const query of [...orders, ...filtered]) {
      const whole = await keysAt(query);
      assert.ok(whole.length > 25, query);
      const { pages, body } = await followPages(visitor, `/category?size=25${query}`, "Next");
      assert.deepEqual(pages.flat(), whole, query);
      const back = await followPages(visitor, linkOf(body, "Previous")!, "Previous");
      assert.deepEqual(back.pages, pages.slice(0, -1).toReversed(), query);
    }
  });

  test("continues after the last row of a page, even if an earlier row has been added or that row has been deleted", async () => {
    await seed(3, 30);
    for (const sort of ["hotelCode", "name", "code"]) {
      const whole = await keysAt(`&sort=${sort}`);
      const { body } = await visitor.get(`/category?sort=${sort}&size=25`);
      await visitor.post("/category/new", { hotelCode: "SEED00001", code: `A${sort}`, name: "AAA" });
      const second = (await visitor.get(linkOf(body, "Next")!)).body;
      assert.deepEqual(rowsOf(second), whole.slice(25, 50), sort);
      const all = /id="f-chosen" href="([^"]*)"/.exec(second)![1]!.replaceAll("&amp;", "&");
      assert.deepEqual(rowsOf((await visitor.get(all)).body), whole.slice(25, 50), `${sort}: all of this page`);
    }
    const whole = await keysAt("");
    const next = linkOf((await visitor.get("/category?size=25")).body, "Next")!;
    const [property, code] = whole[24]!.split("/");
    await service.database.write.deleteFrom("category").where("property", "=", property!).where("code", "=", code!).execute();
    assert.deepEqual(rowsOf((await visitor.get(next)).body), whole.slice(25, 50));
  });

  test("accepts page numbers, and ignores keys of unknown rows", async () => {
    await seed(3, 30);
    const whole = await keysAt("&sort=name");
    const rowsAt = async (query: string) => rowsOf((await visitor.get(`/category?sort=name&size=25&${query}`)).body);
    assert.deepEqual(await rowsAt("page=3"), whole.slice(50, 75));
    assert.deepEqual(await rowsAt("page=-1"), whole.slice(-25));
    assert.deepEqual(await rowsAt("page=-2"), whole.slice(-50, -25));
    assert.deepEqual(await rowsAt("page=0"), whole.slice(0, 25));
    for (const after of ["SEED00001/GONE", "%00/%00", "nonsense", ""])
      assert.deepEqual(await rowsAt(`page=2&after=${after}`), whole.slice(25, 50), after);
  });

  test("links to the last page of a list with more rows than are counted", async () => {
    await seed(410, 5);
    const first = (await visitor.get("/category?size=100")).body;
    assert.equal(rangeOf(first), "1–100 of more than 2,000");
    const reversed = (await keysAt("&sort=-hotelCode")).toReversed();
    const last = (await visitor.get(linkOf(first, "Last")!)).body;
    assert.deepEqual([rangeOf(last), rowsOf(last)], ["1–100 from the end of more than 2,000", reversed]);
    assert.deepEqual([linkOf(last, "Next"), linkOf(last, "Last")], [undefined, undefined]);
    const previous = (await visitor.get(linkOf(last, "Previous")!)).body;
    assert.equal(rangeOf(previous), "101–200 from the end of more than 2,000");
    assert.deepEqual(rowsOf(previous), (await keysAt("&sort=-hotelCode&page=2")).toReversed());
    assert.deepEqual(rowsOf((await visitor.get(linkOf(previous, "Next")!)).body), reversed);
    assert.deepEqual(rowsOf((await visitor.get(linkOf(previous, "First")!)).body), rowsOf(first));
  });
});
