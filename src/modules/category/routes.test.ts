import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { makeProperty, postMessage, textOf } from "../../../test/support/hotel.ts";

const COUNTS = `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">
  <Inventories HotelCode="H1"><Inventory>
    <StatusApplicationControl Start="2026-11-21" End="2026-11-21" InvTypeCode="DBL"/>
    <InvCounts><InvCount CountType="2" Count="7"/></InvCounts>
  </Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

const describeRooms = (names: Readonly<Record<string, string>>) =>
  `<OTA_HotelDescriptiveContentNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000"><HotelDescriptiveContents>
  <HotelDescriptiveContent HotelCode="H1"><FacilityInfo><GuestRooms>${Object.entries(names)
    .map(([code, name]) => `<GuestRoom Code="${code}" RoomTypeName="${name}"><TypeRoom StandardOccupancy="2"/></GuestRoom>`)
    .join("")}</GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;

eachEngine("the category pages", (open) => {
  let service: TestApp;
  let visitor: Visitor;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
    visitor = service.visitor();
    for (const code of ["H1", "H2"]) await visitor.post("/property/new", { code, name: `Hotel ${code}` });
  });
  afterEach(() => service.close());

  const create = (fields: Record<string, string>) =>
    visitor.post("/category/new", { hotelCode: "H1", code: "DBL", name: "Double", ...fields });
  const describe = (names: Readonly<Record<string, string>>) => postMessage(service, describeRooms(names));
  const versionOf = (body: string) => /name="version" value="(\d+)"/.exec(body)?.[1] ?? "";
  const keysAt = async (query: string) => {
    const { categories } = (await visitor.get(`/category?format=json${query}`)).json();
    return (categories as { hotelCode: string; code: string }[]).map(({ hotelCode, code }) => `${hotelCode}/${code}`);
  };

  test("offers to create the first category if the list is empty", async () => {
    assert.match((await visitor.get("/category")).body, /No categories yet/);
    const ofProperty = (await visitor.get("/category?hotelCode=H1")).body;
    assert.match(ofProperty, /Property <strong>H1<\/strong> has no categories yet/);
    assert.match(ofProperty, /<title>Categories · H1 · Roomrack<\/title>/);
    assert.match(ofProperty, /href="\/category\/new\?hotelCode=H1"/);
  });

  test("fills in the property from the URL and suggests other properties", async () => {
    const { body } = await visitor.get("/category/new?hotelCode=H2");
    assert.match(body, /name="hotelCode"[^>]*value="H2"/);
    assert.match(body, /<option value="H1">Hotel H1<\/option>/);
    assert.doesNotMatch(body, /There is a problem/, "no error before anything is entered");
  });

  test("fills in the property if there is only one", async () => {
    assert.match((await visitor.get("/category/new")).body, /name="hotelCode"[^>]*value=""/, "there are two");
    await using small = await startApp();
    await makeProperty(small, { code: "ONE", name: "The only one" });
    assert.match((await small.inject("/category/new")).body, /name="hotelCode"[^>]*value="ONE"/);
  });

  test("asks the user to create a property first if there is none", async () => {
    await using empty = await startApp();
    assert.match((await empty.inject("/category/new")).body, /Create a property first/);
  });

  test("redirects to the new category and confirms its creation", async () => {
    const answer = await create({});
    assert.equal(answer.statusCode, 303);
    assert.equal(answer.headers.location, "/category/H1/DBL/edit");
    const page = (await visitor.get("/category/H1/DBL/edit")).body;
    assert.match(page, /Category DBL of property H1 was created\./);
    assert.match(page, /<h1>Edit Double<\/h1>/);
    assert.match(page, /href="\/property\/H1">Hotel H1</);
    assert.match((await visitor.get("/property/H1")).body, /href="\/category\/H1\/DBL\/edit">Double</);
  });

  test("accepts the same code in another property", async () => {
    await create({});
    const taken = await create({ name: "Other" });
    assert.equal(taken.statusCode, 422);
    assert.match(taken.body, /id="e-code">Choose another code; property H1 already has a category DBL/);
    assert.equal((await create({ hotelCode: "H2" })).statusCode, 303);
    assert.equal((await visitor.get("/category/H1/DBL/edit?format=json")).json().name, "Double");
  });

  test("ignores changes to the property and code, and records other edits in the history", async () => {
    await create({ rooms: "5" });
    const form = (await visitor.get("/category/H1/DBL/edit")).body;
    assert.match(form, /id="f-code"[^>]*readonly/);
    assert.match(form, /id="f-hotelCode"[^>]*readonly/);
    const edit = { version: versionOf(form), hotelCode: "H2", code: "X", rooms: "6", smoking: "on" };
    const answer = await visitor.post("/category/H1/DBL/edit", edit);
    assert.equal(answer.headers.location, "/category/H1/DBL/edit");
    const page = (await visitor.get("/category/H1/DBL/edit")).body;
    assert.match(page, /Category DBL was saved\./);
    assert.match(page, /Number of rooms: <del>5<\/del> to <ins>6<\/ins>/);
    const { name, rooms, smoking, version } = (await visitor.get("/category/H1/DBL/edit?format=json")).json();
    assert.deepEqual({ name, rooms, smoking, version }, { name: "Double", rooms: 6, smoking: true, version: 2 });
  });

  test("shows both values after a conflict and accepts a second save", async () => {
    await create({});
    await visitor.post("/category/H1/DBL/edit", { version: "1", name: "Theirs" });
    const refused = await visitor.post("/category/H1/DBL/edit", { version: "1", name: "Mine" });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /<td>Theirs<\/td>\s*<td>Mine<\/td>/);
    const again = await visitor.post("/category/H1/DBL/edit", { version: versionOf(refused.body), name: "Mine" });
    assert.equal(again.statusCode, 303);
    const edits = ["One", "Two"].map((name) => visitor.post("/category/H1/DBL/edit", { version: "3", name }));
    assert.deepEqual((await Promise.all(edits)).map(({ statusCode }) => statusCode).toSorted(), [303, 422]);
  });

  test("links to the form for another category of the same property", async () => {
    await create({});
    assert.match((await visitor.get("/category/H1/DBL/edit")).body, /href="\/category\/new\?hotelCode=H1">New category/);
  });

  test("fills in the form with the values from before a change", async () => {
    await create({ rooms: "5" });
    await visitor.post("/category/H1/DBL/edit", { rooms: "8" });
    const [, link = ""] = /href="(\/category\/H1\/DBL\/edit\?restore=\d+)"/.exec((await visitor.get("/category/H1/DBL/edit")).body) ?? [];
    const { body } = await visitor.get(link);
    assert.match(body, /: Number of rooms\. Nothing has been saved yet/);
    assert.match(body, /name="rooms"[^>]*value="5"/);
  });

  test("records changes made by messages in the history and can revert them", async () => {
    await create({ rooms: "5" });
    await describe({ DBL: "Double", TWN: "Twin" });
    await describe({ DBL: "Doppelzimmer", TWN: "Twin" });
    await describe({});
    const history = async (code: string) =>
      textOf(await visitor.get(`/category/H1/${code}/edit`))
        .split("History")
        .at(-1)!;
    assert.match(
      await history("DBL"),
      /Changed by pms in message #3 Status: Active to Inactive .* in message #2 Name: Double to Doppelzimmer .* Created by anonymous \(open access\)/,
    );
    assert.match(await history("TWN"), /Changed by pms in message #3 Status: .* Created by pms in message #1 Initial values Name: Twin/);
    const { body } = await visitor.get("/category/H1/DBL/edit");
    assert.match(body, /href="\/dev\/logs\/3">message #3/);
    const [, link = ""] = /href="(\/category\/H1\/DBL\/edit\?restore=\d+)"/.exec(body) ?? [];
    assert.match((await visitor.get(link)).body, /<option value="active" selected>/);
    await service.database.write.deleteFrom("message").where("id", "=", 3).execute();
    assert.match(await history("DBL"), /Changed by pms Status/);
  });

  test("keeps the typed values after an edit is refused", async () => {
    await create({});
    const refused = await visitor.post("/category/H1/DBL/edit", { version: "1", rooms: "many", beds: "1 sofa" });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /<title>Error: Edit Double/);
    assert.match(refused.body, /value="many"/);
    assert.match(refused.body, /value="1 sofa"/);
  });

  test("treats an invalid version as a conflict", async () => {
    await create({});
    const refused = await visitor.post("/category/H1/DBL/edit", { version: "one", rooms: "many" });
    assert.equal(refused.statusCode, 422);
    assert.equal(versionOf(refused.body), "0");
    assert.equal((await visitor.post("/category/H1/DBL/edit", { version: "0", rooms: "6" })).statusCode, 422);
  });

  test("shows the next 14 nights, starting with the property's current date", async () => {
    await create({});
    const before = (await visitor.get("/category/H1/DBL/edit")).body;
    assert.equal(before.match(/no data<\/span>/g)?.length, 14);
    const headers = { "content-type": "application/xml" };
    const afterCounts = async (payload: string) => {
      const answer = await service.inject({ method: "POST", url: "/channel", headers, payload });
      assert.match(answer.body, /<Success/);
      return (await visitor.get("/category/H1/DBL/edit")).body;
    };
    const after = await afterCounts(COUNTS);
    assert.match(after, /<li class="open weekend">\s*<time [^>]*datetime="2026-11-21">Sat 21<\/time>\s*<strong>7<\/strong>/);
    assert.match(
      await afterCounts(COUNTS.replace('Count="7"', 'Count="0"')),
      /<li class="sold weekend">[^]{1,80}Sat 21<[^]{1,20}<strong>0</,
    );
    assert.match(after, /Last inventory update<\/dt>\s*<dd><time datetime="2026-11-20T09:00:/);
  });

  test("the category list can be sorted, searched and filtered by property", async () => {
    await create({});
    await create({ code: "SGL", name: "Einzelzimmer süd" });
    await create({ hotelCode: "H2", code: "APT", name: "Apartment Süd", kind: "apartment" });
    assert.deepEqual(await keysAt(""), ["H1/DBL", "H1/SGL", "H2/APT"]);
    assert.deepEqual(await keysAt("&sort=-hotelCode"), ["H2/APT", "H1/SGL", "H1/DBL"]);
    assert.deepEqual(await keysAt("&sort=name"), ["H2/APT", "H1/DBL", "H1/SGL"]);
    assert.deepEqual(await keysAt("&hotelCode=H1"), ["H1/DBL", "H1/SGL"]);
    assert.deepEqual(await keysAt("&hotelCode=H9"), []);
    const unknown = await visitor.get("/category?hotelCode=H9");
    assert.match(textOf(unknown), /Property H9 does not exist\. View all properties/);
    assert.doesNotMatch(unknown.body, /hotelCode=H9">New category/);
    assert.match(textOf(await visitor.get("/category?q=apt")), /H2 Apartment 1 1–2 /, "minimum to maximum occupancy");
    assert.deepEqual(await keysAt("&hotelCode=%00"), []);
    assert.deepEqual(await keysAt("&q=sud"), ["H1/SGL", "H2/APT"]);
    assert.deepEqual(await keysAt("&q=sud&hotelCode=H2"), ["H2/APT"]);
    assert.deepEqual(await keysAt("&q=sud h1"), ["H1/SGL"]);
    assert.deepEqual(await keysAt("&q=uber"), []);
    assert.match((await visitor.get("/category?hotelCode=H1")).body, /href="\/category\?hotelCode=H1&amp;sort=name"/);
  });

  test("the category list filters by status", async () => {
    await create({ status: "inactive" });
    await create({ code: "SGL", name: "Single" });
    await create({ hotelCode: "H2", status: "inactive" });
    assert.deepEqual(await keysAt("&status=inactive"), ["H1/DBL", "H2/DBL"]);
    assert.deepEqual(await keysAt("&status=inactive&hotelCode=H2"), ["H2/DBL"]);
    assert.deepEqual(await keysAt("&status=active&q=double"), []);
    assert.deepEqual(await keysAt("&status=inactive&q=double&sort=-hotelCode"), ["H2/DBL", "H1/DBL"]);
    const refused = await visitor.get("/category?status=nonsense");
    assert.equal(refused.statusCode, 422);
    assert.match(textOf(refused), /There is a problem Choose a status: active or inactive .* 1–3 of 3/);
    const refusedJson = await visitor.get("/category?status=nonsense&format=json");
    assert.deepEqual(refusedJson.json(), { errors: { status: "Choose a status: active or inactive" } });
    const { body } = await visitor.get("/category?status=inactive");
    assert.match(body, /1–2 of 2/);
    assert.match(body, /<option value="inactive" selected>/);
    assert.equal((await visitor.get("/category?status=inactive&format=csv")).body.trimEnd().split("\r\n").length, 3);
    assert.match((await visitor.get("/category?status=active&q=double")).body, /No categories match these filters/);
  });

  test("the category list is exported as CSV", async () => {
    await create({});
    const lines = (await visitor.get("/category?format=csv")).body.replace("\ufeff", "").trimEnd().split("\r\n");
    assert.match(lines[0]!, /^hotelCode,code,name,kind,status,/);
    assert.match(lines[1]!, /^H1,DBL,Double,room,active,2,1,2,/);
    await create({ hotelCode: "H2" });
    const keys = async (filter: string) => {
      const { body } = await visitor.get(`/category?format=csv${filter}`);
      const [, ...rows] = body.trimEnd().split("\r\n");
      return rows.map((row) => row.split(",", 2).join("/"));
    };
    assert.deepEqual(await keys(""), ["H1/DBL", "H2/DBL"]);
    assert.deepEqual(await keys("&hotelCode=H2"), ["H2/DBL"]);
    assert.deepEqual(await keys("&hotelCode=H2&q=single"), []);
    assert.deepEqual(await keys("&q=single"), []);
  });

  test("treats HEAD like GET", async () => {
    await create({});
    for (const url of ["/category", "/category/new", "/category/H1/DBL/edit"]) {
      assert.equal((await service.inject({ method: "HEAD", url })).statusCode, 200, url);
    }
  });

  test("returns 404 for an unknown category", async () => {
    assert.match((await visitor.get("/category/H1/X/edit")).body, /Category &#39;H1\/X&#39; not found/);
    for (const url of ["/category/H1/X/edit", "/category/%00/X/edit", "/category/H9/X/edit"]) {
      assert.equal((await visitor.get(url)).statusCode, 404, url);
      assert.equal((await visitor.post(url, { name: "Double" })).statusCode, 404, url);
    }
    assert.match((await visitor.get("/category/x/edit")).body, /Route &#39;GET \/category\/x\/edit&#39; not found/);
  });
});
