import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { followPages, linkOf, rangeOf, rowsOf } from "../../../test/support/pages.ts";
import { splitIntoBatches } from "../../db/listing.ts";
import type { PropertyRow } from "../../db/schema.ts";
import { propertySearchRow } from "../../records/search.ts";
import { withSortName } from "../../records/sort-name.ts";

const HOTELS: Record<string, string>[] = [
  { code: "H03", name: "Alpenhof", city: "Zürich" },
  { code: "H01", name: "Berghotel Sonne", city: "Meran", country: "IT" },
  { code: "H02", name: "Casa Łucja", city: "Kraków", groupName: "Sonnengruppe" },
];

eachEngine("the property list", (open) => {
  let service: TestApp;
  let visitor: Visitor;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
    visitor = service.visitor();
    for (const hotel of HOTELS) await visitor.post("/property/new", hotel);
  });
  afterEach(() => service.close());

  const codesAt = async (query: string) => {
    const { properties } = (await visitor.get(`/property?format=json${query}`)).json() as { properties: { code: string }[] };
    return properties.map(({ code }) => code);
  };

  test("sorts by name or code in both directions", async () => {
    assert.deepEqual(await codesAt(""), ["H03", "H01", "H02"]);
    assert.deepEqual(await codesAt("&sort=-name"), ["H02", "H01", "H03"]);
    assert.deepEqual(await codesAt("&sort=code"), ["H01", "H02", "H03"]);
    assert.deepEqual(await codesAt("&sort=-code"), ["H03", "H02", "H01"]);
    assert.deepEqual(await codesAt("&sort=nonsense"), ["H03", "H01", "H02"]);
    const { body } = await visitor.get("/property?sort=-code");
    assert.match(body, /aria-sort="descending">\s*<a href="\/property\?sort=code"/);
  });

  test("sorts names regardless of case, including in search results", async () => {
    for (const [code, name] of [
      ["h2", "berghotel adler"],
      ["h1", "BERGHOTEL ZUM WALD"],
    ] as const)
      await visitor.post("/property/new", { code, name });
    assert.deepEqual(await codesAt(""), ["H03", "h2", "H01", "h1", "H02"]);
    assert.deepEqual(await codesAt("&sort=-name"), ["H02", "h1", "H01", "h2", "H03"]);
    assert.deepEqual(await codesAt("&q=berghotel"), ["h2", "H01", "h1"]);
    await visitor.get("/category/new");
    for (const [code, name, sortOrder] of [
      ["a", "suite", "0"],
      ["b", "Double", "0"],
      ["c", "apartment", "0"],
      ["d", "Zirbe", "-1"],
    ] as const)
      await visitor.post("/category/new", { hotelCode: "H01", code, name, sortOrder });
    const categories = async (query: string) =>
      (await visitor.get(`/category?format=json${query}`)).json<{ categories: { code: string }[] }>().categories.map(({ code }) => code);
    for (const query of ["&sort=name", "&sort=name&hotelCode=H01"]) assert.deepEqual(await categories(query), ["c", "b", "a", "d"], query);
    assert.deepEqual(await categories("&sort=-name&q=H01"), ["d", "a", "b", "c"]);
    const { body } = await visitor.get("/property/H01");
    const shown = [...body.matchAll(/>(suite|Double|apartment|Zirbe)</g)].map(([, name]) => name);
    assert.deepEqual(shown, ["Zirbe", "apartment", "Double", "suite"]);
    const grid = (await visitor.get("/inventories?property=H01&format=json")).json<{ categories: { name: string }[] }>();
    assert.deepEqual(
      grid.categories.map(({ name }) => name),
      ["Zirbe", "apartment", "Double", "suite"],
    );
  });

  test("sorts accented letters with their base letters in lists, exports and grids", async () => {
    for (const [code, name] of [
      ["A1", "Ångström"],
      ["A2", "Angst"],
      ["E1", "L’Écrin"],
      ["E2", "L'Écrin"],
      ["L1", "Lärche"],
      ["L2", "Lanz"],
      ["O1", "Österle"],
      ["O2", "Osterhof"],
      ["O3", "OSTERLE"],
      ["O4", "Østby"],
      ["W1", "Weißes Rössl"],
      ["W2", "Weistal"],
      ["W3", "Weizhof"],
      ["X1", "«Écrin» – Zimmer"],
      ["X2", "Écrin Aurora"],
      ["Z1", "Zermatt"],
    ] as const)
      await visitor.post("/property/new", { code, name });
    const order = ["H03", "A2", "A1", "H01", "H02", "X2", "X1", "E2", "E1", "L2", "L1", "O4", "O2", "O3", "O1", "W1", "W2", "W3", "Z1"];
    assert.deepEqual(await codesAt(""), order);
    assert.deepEqual(await codesAt("&sort=-name"), order.toReversed());
    assert.deepEqual(await codesAt("&q=ecrin&sort=-name"), ["E1", "E2", "X1", "X2"]);
    const { body: csv } = await visitor.get("/property?format=csv");
    assert.deepEqual(
      csv
        .trimEnd()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",", 1)[0]),
      order,
    );
    await visitor.post("/property/Z1/edit", { name: "Älplerhof" });
    assert.deepEqual((await codesAt("")).slice(0, 3), ["H03", "Z1", "A2"]);
    await visitor.get("/category/new");
    for (const [code, name] of [
      ["a", "Zirbe"],
      ["b", "Übersicht"],
      ["c", "Éclair"],
      ["d", "Uhu"],
    ] as const)
      await visitor.post("/category/new", { hotelCode: "H01", code, name });
    const categories = async (query: string) =>
      (await visitor.get(`/category?format=json${query}`)).json<{ categories: { code: string }[] }>().categories.map(({ code }) => code);
    for (const query of ["&sort=name", "&sort=name&hotelCode=H01", "&sort=name&q=H01"])
      assert.deepEqual(await categories(query), ["c", "b", "d", "a"], query);
    await visitor.post("/category/H01/d/edit", { name: "Öffnung" });
    assert.deepEqual(await categories("&sort=-name"), ["a", "b", "d", "c"]);
    const shown = [...(await visitor.get("/property/H01")).body.matchAll(/href="\/category\/H01\/(\w)\/edit"/g)].map(([, code]) => code);
    assert.deepEqual(shown, ["c", "d", "b", "a"]);
    for (const grid of ["inventories", "rates"]) {
      const json = (await visitor.get(`/${grid}?property=H01&format=json`)).json<{ categories: { code: string }[] }>();
      assert.deepEqual(
        json.categories.map(({ code }) => code),
        ["c", "d", "b", "a"],
      );
    }
  });

  test("shows the city with its country", async () => {
    assert.match((await visitor.get("/property")).body, /<td class="name">Meran, IT<\/td>/);
  });

  test("searches for any part of a word, regardless of case and accents", async () => {
    assert.deepEqual(await codesAt("&q=zurich"), ["H03"]);
    assert.deepEqual(await codesAt("&q=ZÜR"), ["H03"]);
    assert.deepEqual(await codesAt("&q=h02"), ["H02"]);
    assert.deepEqual(await codesAt("&q=sonne"), ["H01", "H02"]);
    assert.deepEqual(await codesAt("&q=sonne berg"), ["H01"]);
    assert.deepEqual(await codesAt("&q=sonne&sort=-name"), ["H02", "H01"]);
    assert.deepEqual(await codesAt("&q=onne"), ["H01", "H02"]);
    assert.deepEqual(await codesAt("&q=onne rg"), ["H01"]);
    assert.deepEqual(await codesAt("&q=nneb"), []);
    assert.deepEqual(await codesAt("&q=%25"), []);
    assert.deepEqual(await codesAt("&q=%00"), []);
    assert.match((await visitor.get("/property?q=<xyz>")).body, /No properties match “&lt;xyz&gt;”\./);
  });

  test("updates the search words after an edit", async () => {
    await visitor.post("/property/H03/edit", { name: "Talhof" });
    assert.deepEqual(await codesAt("&q=alpenhof"), []);
    assert.deepEqual(await codesAt("&q=talhof"), ["H03"]);
  });

  test("splits the list into pages", async () => {
    for (let at = 10; at < 40; at++) await visitor.post("/property/new", { code: `P${at}`, name: `Pension ${at}` });
    const first = (await visitor.get("/property?size=25&sort=code")).body;
    assert.match(first, /1–25 of 33/);
    assert.match(first, /href="\/property\?sort=code&amp;page=2&amp;size=25&amp;after=P31" rel="next"/);
    assert.doesNotMatch(first, /rel="prev"/);
    assert.match(first, /Rows per page/);
    assert.doesNotMatch((await visitor.get("/property?q=sonne")).body, /Rows per page/, "hidden if every page size fits all rows");
    const second = (await visitor.get("/property?size=25&sort=code&page=2")).body;
    assert.match(second, /26–33 of 33/);
    assert.match(second, /Pension 39/);
    assert.doesNotMatch(second, /rel="next"/);
    const found = (await visitor.get("/property?size=25&q=pension&page=2")).body;
    assert.match(found, /26–30 of 30/);
    assert.match((await visitor.get("/property?page=99")).body, /Page 99 does not exist/);
  });

  test("continues after the last row of the page, even if earlier rows have been added", async () => {
    for (let at = 10; at < 99; at++) await visitor.post("/property/new", { code: `P${at}`, name: `Pension ${at % 7}` });
    for (const sort of ["name", "-name", "code", "-city", "currency", "categories", "lastMessage", "status"]) {
      const whole = await codesAt(`&sort=${sort}&size=100`);
      const { pages, body } = await followPages(visitor, `/property?sort=${sort}&size=25`, "Next");
      assert.deepEqual(pages.flat(), whole, sort);
      const previous = (await visitor.get(linkOf(body, "Previous")!)).body;
      assert.deepEqual(rowsOf(previous), whole.slice(50, 75), sort);
    }
    const { body } = await visitor.get("/property?sort=code&size=25");
    assert.match(body, /<a href="\/property\?sort=code&amp;page=4&amp;size=25">Last</);
    assert.match((await visitor.get("/property?sort=code&size=25&page=3")).body, /<a href="\/property\?sort=code&amp;size=25">First</);
    await visitor.post("/property/new", { code: "A00", name: "Adler" });
    const after = (await visitor.get(linkOf(body, "Next")!)).body;
    assert.equal(rowsOf(after)[0], (await codesAt("&sort=code&size=100"))[26]);
    assert.match(after, /<a href="\/property\?sort=code&amp;size=25" rel="prev">Previous/);
    assert.equal(rowsOf((await visitor.get("/property?sort=code&size=25&page=2&after=GONE")).body).length, 25);
  });

  const add = async (fields: readonly Pick<PropertyRow, "code" | "name" | "city">[]) => {
    const { database } = service;
    const property = await database.read.selectFrom("property").selectAll().where("code", "=", "H01").executeTakeFirstOrThrow();
    const rows = fields.map((some) => withSortName({ ...property, ...some }));
    for (const some of splitIntoBatches(rows)) await database.write.insertInto("property").values(some).execute();
    for (const some of splitIntoBatches(rows.map(propertySearchRow))) await database.write.insertInto("search_text").values(some).execute();
  };
  const times = (count: number, fields: (at: number) => Parameters<typeof add>[0][number]) =>
    add(Array.from({ length: count }, (_, at) => fields(at)));

  test("shows every page of a search with many matches", async () => {
    await times(510, (at) => ({ code: `M${at}`, name: `Many ${at}`, city: null }));
    const { body } = await visitor.get("/property?q=many&size=100&page=6");
    assert.match(body, /501–510 of 510/);
    assert.deepEqual(await codesAt("&q=many meran alpenhof"), []);
  });

  test("sorts by each column, with missing values first, and exports in the same order", async () => {
    await visitor.post("/property/H02/edit", { city: "aachen", currency: "CHF", status: "test" });
    await visitor.post("/category/new", { hotelCode: "H02", code: "DBL", name: "Double" });
    await service.database.write.insertInto("property_activity").values({ property: "H03", last_message_at: 5 }).execute();
    for (const sort of ["city", "currency", "categories", "lastMessage", "status"]) {
      const codes = await codesAt(`&sort=${sort}`);
      assert.equal(codes.length, 3, sort);
      assert.deepEqual(await codesAt(`&sort=-${sort}`), codes.toReversed(), sort);
      const csv = (await visitor.get(`/property?format=csv&sort=${sort}`)).body.trimEnd().split("\r\n").slice(1);
      assert.deepEqual(
        csv.map((line) => line.split(",", 1)[0]),
        codes,
        `${sort} as CSV`,
      );
    }
    assert.deepEqual(await codesAt("&sort=categories"), ["H01", "H03", "H02"]);
    assert.deepEqual(await codesAt("&sort=lastMessage"), ["H01", "H02", "H03"]);
    assert.equal((await codesAt("&sort=-status"))[0], "H02");
    assert.equal((await codesAt("&sort=currency"))[0], "H02");
  });

  test("counts at most 2,000 properties", async () => {
    await times(2_050, (at) => ({ code: `M${at}`, name: `Many ${at}`, city: null }));
    const pageAt = async (url: string) => (await visitor.get(url)).body;
    const second = await pageAt("/property?size=100&page=2");
    assert.equal(rangeOf(second), "101–200 of more than 2,000");
    const twentieth = await pageAt("/property?size=100&page=20");
    assert.equal(rangeOf(twentieth), "1,901–2,000 of more than 2,000");
    assert.match(twentieth, /rel="next"/);
    const last = await pageAt(linkOf(second, "Last")!);
    const rows = await codesAt("&size=100&sort=-name");
    assert.deepEqual([rangeOf(last), rowsOf(last)], ["1–100 from the end of more than 2,000", rows.toReversed()]);
    const before = await pageAt(linkOf(last, "Previous")!);
    assert.deepEqual(rowsOf(before), (await codesAt("&size=100&sort=-name&page=2")).toReversed());
    const { properties, total, exact } = (await visitor.get("/property?format=json&size=100&page=21")).json();
    assert.deepEqual([properties.length, total, exact], [53, 2_000, false]);
    assert.match((await visitor.get("/")).body, /<p class="figure">2,000<span title="at least this many">\+<\/span>/);
  });

  test("finds the few properties that match several common words or a filter", async () => {
    await times(600, (at) => ({ code: `A${at}`, name: `Hotel ${at}`, city: "Adorf" }));
    await times(600, (at) => ({ code: `B${at}`, name: `Garni ${at}`, city: "Berlin" }));
    await add([{ code: "ZOO", name: "Zoo Hotel", city: "Berlin" }]);
    await visitor.post("/property/ZOO/edit", { status: "inactive" });
    for (const query of ["&q=hotel berlin", "&q=berlin hotel", "&q=hotel&status=inactive"]) {
      const { properties, ...count } = (await visitor.get(`/property?format=json${query}`)).json();
      assert.deepEqual(
        [properties.map(({ code }: { code: string }) => code), count],
        [["ZOO"], { total: 1, exact: true, page: 1, size: 50 }],
        query,
      );
    }
  });

  test("exports every match as CSV in list order", async () => {
    await times(1_200, (at) => ({ code: `M${String(at).padStart(4, "0")}`, name: `Many ${at}`, city: null }));
    const [, link = ""] = /href="([^"]+format=csv)"/.exec((await visitor.get("/property?q=man&sort=-code")).body) ?? [];
    const lines = (await visitor.get(link.replaceAll("&amp;", "&"))).body.trimEnd().split("\r\n").slice(1);
    assert.deepEqual([lines.length, lines[0]!.slice(0, 5), lines.at(-1)!.slice(0, 5)], [1_200, "M1199", "M0000"]);
  });

  test("uses the last value of a repeated parameter", async () => {
    assert.deepEqual(await codesAt("&q=berg&q=alpen"), ["H03"]);
    assert.deepEqual(await codesAt("&sort=code&sort=-code"), ["H03", "H02", "H01"]);
    assert.equal((await visitor.get("/property?format=json&format=csv")).headers["content-type"], "text/csv; charset=utf-8");
    await visitor.get("/category/new");
    for (const hotelCode of ["H01", "H02"]) await visitor.post("/category/new", { hotelCode, code: "DBL", name: "Double" });
    const { categories } = (await visitor.get("/category?format=json&hotelCode=H01&hotelCode=H02")).json();
    assert.deepEqual(
      categories.map((one: { hotelCode: string }) => one.hotelCode),
      ["H02"],
    );
  });

  test("links to the last page if the page number is too high, and shows no page links without matches", async () => {
    const { body } = await visitor.get("/property?page=999&size=25");
    assert.match(body, /href="\/property\?sort=name&amp;size=25" rel="prev"/);
    assert.match(body, /href="\/property\?sort=name&amp;size=25">Go to the first/);
    const none = (await visitor.get("/property?q=nothing")).body;
    assert.doesNotMatch(none, /aria-label="Pages"|format=csv/);
  });

  test("exports the whole list as CSV and escapes formulas", async () => {
    await visitor.post("/property/new", { code: "F1", name: "=1+1", stars: "4.5", notes: 'say "yes", twice' });
    const answer = await visitor.get("/property?format=csv&size=25&sort=code");
    assert.equal(answer.headers["content-type"], "text/csv; charset=utf-8");
    const lines = answer.body.replace("\ufeff", "").trimEnd().split("\r\n");
    assert.equal(lines.length, 5);
    assert.match(lines[0]!, /^code,name,status,/);
    assert.match(lines[1]!, /^F1,'=1\+1,active,20,4\.5,/);
    assert.match(lines[1]!, /"say ""yes"", twice"/);
    assert.equal((await visitor.get("/property?format=csv&q=zurich")).body.trimEnd().split("\r\n").length, 2);
  });

  test("exports negative numbers as numbers, and phone numbers with their plus sign", async () => {
    await visitor.post("/property/new", {
      code: "S1",
      name: "-1+1",
      latitude: "-33.8688",
      longitude: "-151.2093",
      phone: "+61 2 9374 4000",
    });
    const { body } = await visitor.get("/property?format=csv&sort=-code");
    const line = body.split("\r\n")[1]!;
    assert.match(line, /^S1,'-1\+1,.*,-33\.8688,-151\.2093,/);
    assert.match(line, /,'\+61 2 9374 4000,/);
    const { properties } = (await visitor.get("/property?format=json&q=S1")).json<{ properties: object[] }>();
    assert.partialDeepStrictEqual(properties, [{ latitude: -33.8688, longitude: -151.2093 }]);
  });

  test("returns 304 if the list has not changed", async () => {
    const first = await service.inject("/property");
    const again = await service.inject({ url: "/property", headers: { "if-none-match": String(first.headers.etag) } });
    assert.equal(again.statusCode, 304);
    await visitor.post("/property/H03/edit", { name: "Other" });
    const changed = await service.inject({ url: "/property", headers: { "if-none-match": String(first.headers.etag) } });
    assert.equal(changed.statusCode, 200);
  });

  test("shows the number of categories and the last message", async () => {
    await visitor.post("/category/new", { hotelCode: "H01", code: "DBL", name: "Double" });
    await visitor.post("/category/new", { hotelCode: "H01", code: "SGL", name: "Single" });
    const { write } = service.database;
    await write
      .insertInto("property_activity")
      .values({ property: "H01", last_message_at: 1_800_000_000_000, last_complete_set_at: null })
      .execute();
    const row = /<tr>(?:(?!<\/tr>).)*Berghotel(?:(?!<\/tr>).)*<\/tr>/s.exec((await visitor.get("/property")).body)?.[0] ?? "";
    assert.match(row, /<td class="number" data-label="Categories">2<\/td>/);
    assert.match(row, /datetime="2027-01-15T08:00:00Z"/);
  });
});
