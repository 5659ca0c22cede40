import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";

/** What is typed into a field, and the start of what is said about it. */
const REFUSED: [field: string, typed: string, message: string][] = [
  ["hotelCode", "", "Enter the code of a property that exists"],
  ["hotelCode", "a/b", "Enter the code of a property that exists"],
  ["hotelCode", "H9", "Enter the code of a property that exists; there is no property H9"],
  ["code", "", "Enter a code of up to 64"],
  ["code", ".A", "Enter a code of up to 64"],
  ["code", "A".repeat(65), "Enter a code of up to 64"],
  ["name", "", "Enter a name of up to 255"],
  ["name", "x".repeat(256), "Enter a name of up to 255"],
  ["name", "a\u0000b", "Take out line breaks, tabs"],
  ["kind", "tent", "Choose a kind"],
  ["status", "test", "Choose a status"],
  ["standardOccupancy", "0", "Enter a standard occupancy from 1 to 99"],
  ["standardOccupancy", "100", "Enter a standard occupancy from 1 to 99"],
  ["standardOccupancy", "2.5", "Enter a standard occupancy from 1 to 99"],
  ["minOccupancy", "0", "Enter a minimum occupancy from 1"],
  ["minOccupancy", "3", "Enter a minimum occupancy from 1"],
  ["maxOccupancy", "1", "Enter a maximum occupancy from the standard"],
  ["maxOccupancy", "100", "Enter a maximum occupancy from the standard"],
  ["maxAdults", "3", "Enter the most adults"],
  ["maxChildren", "-1", "Enter the most children"],
  ["maxInfants", "3", "Enter the most infants"],
  ["rooms", "-1", "Enter the number of rooms"],
  ["rooms", "10000", "Enter the number of rooms"],
  ["roomNames", `101, ${"x".repeat(65)}`, "Enter room names"],
  ["roomNames", "101, \u200b", "Enter room names"],
  ["roomNames", "101, 10\t2", "Enter room names"],
  ["size", "0", "Enter a size"],
  ["size", "10000.5", "Enter a size"],
  ["size", "1,000", "Enter a size"],
  ["size", "1,000.5", "Enter a size"],
  ["beds", "x".repeat(256), "Enter beds"],
  ["amenities", "379", "Enter OpenTravel room amenity codes"],
  ["amenities", "2, wifi", "Enter OpenTravel room amenity codes (RMA) from 1 to 378 between commas, such as 2, 13, 123; not “wifi”"],
  ["roomNames", `101, ${"x".repeat(65)}`, `Enter room names of up to 64 characters each, between commas; not “${"x".repeat(40)}…”`],
  ["roomNames", "\u{1f600}".repeat(65), `Enter room names of up to 64 characters each, between commas; not “${"\u{1f600}".repeat(40)}…”`],
  ["roomNames", Array.from({ length: 3_000 }, (_, at) => `Room ${at}`).join(), "Enter at most 20,000 characters in all"],
  [
    "photos",
    "https://example.com/1.jpg\n\nexample.com/2.jpg",
    "Enter at most 30 addresses that begin with http:// or https://, one a line; not “example.com/2.jpg” in line 3",
  ],
  [
    "photos",
    Array.from({ length: 31 }, (_, at) => `https://example.com/${at}.jpg`).join("\n"),
    "Enter at most 30 addresses that begin with http:// or https://, one a line; not 31",
  ],
  ["description", "x".repeat(10_001), "Enter a description"],
  ["photos", "https://example.com/1.jpg\nfile:///etc/passwd", "Enter at most 30 addresses"],
  ["photos", Array(31).fill("https://example.com/1.jpg").join("\n"), "Enter at most 30 addresses"],
  ["sortOrder", "1.5", "Enter a place in lists"],
  ["sortOrder", "1000000000", "Enter a place in lists"],
];

/** Values at the edge of what is allowed, and how they are kept. */
const ALLOWED: [field: string, typed: string, kept: unknown][] = [
  ["name", "x".repeat(255), "x".repeat(255)],
  ["kind", "pitch", "pitch"],
  ["status", "inactive", "inactive"],
  ["standardOccupancy", "99", 99],
  ["minOccupancy", "2", 2],
  ["maxOccupancy", "99", 99],
  ["maxOccupancy", "", 2],
  ["maxAdults", "0", 0],
  ["maxChildren", "2", 2],
  ["rooms", "0", 0],
  ["rooms", "9999", 9999],
  ["roomNames", "101,  102,101", "101, 102"],
  ["roomNames", "\u{1f600}".repeat(64), "\u{1f600}".repeat(64)],
  ["size", "24.5", 24.5],
  ["size", "24,5", 24.5],
  ["size", "10000", 10_000],
  ["beds", "1 double, 1 sofa", "1 double, 1 sofa"],
  ["smoking", "on", true],
  ["accessible", "on", true],
  ["amenities", "2,13, 002", "2, 13"],
  ["amenities", "378", "378"],
  ["photos", "https://example.com/1.jpg\r\n\r\n http://example.com/2.jpg ", "https://example.com/1.jpg\nhttp://example.com/2.jpg"],
  ["sortOrder", "-999999999", -999_999_999],
];

eachEngine("The rules of a category", (open) => {
  let service: TestApp;
  let visitor: Visitor;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
    visitor = service.visitor();
    await visitor.post("/property/new", { code: "H1", name: "Adler" });
  });
  afterEach(() => service.close());

  test("a value that is not allowed is refused beside its field and in the summary", async () => {
    for (const [field, typed, message] of REFUSED) {
      const answer = await visitor.post("/category/new", { hotelCode: "H1", code: "DBL", name: "Double", [field]: typed });
      const what = `${field}=${JSON.stringify(typed.slice(0, 20))}`;
      assert.equal(answer.statusCode, 422, what);
      assert.match(answer.body, /<title>Error: New category/, what);
      assert.ok(answer.body.includes(`<a href="#f-${field}">${message}`), `${what}: summary`);
      assert.ok(answer.body.includes(`id="e-${field}">${message}`), `${what}: beside the field`);
    }
    assert.equal((await service.inject("/category?format=json")).json().total, 0);
  });

  test("values at the edge of the rules are stored", async () => {
    for (const [index, [field, typed, kept]] of ALLOWED.entries()) {
      const code = `C${index}`;
      const answer = await visitor.post("/category/new", { hotelCode: "H1", code, name: "Double", [field]: typed });
      assert.equal(answer.statusCode, 303, `${field}=${typed}`);
      const stored = (await service.inject(`/category/H1/${code}/edit?format=json`)).json();
      assert.deepEqual(stored[field], kept, `${field}=${typed}`);
    }
  });

  test("property, code and name are enough; the rest has its default", async () => {
    assert.equal((await visitor.post("/category/new", { hotelCode: "H1", code: "DBL", name: "Double" })).statusCode, 303);
    const { createdAt, updatedAt, history, ...stored } = (await service.inject("/category/H1/DBL/edit?format=json")).json();
    assert.deepEqual([updatedAt, history.length], [createdAt, 1]);
    assert.deepEqual(stored, {
      ...{ hotelCode: "H1", code: "DBL", name: "Double", kind: "room", status: "active" },
      ...{ standardOccupancy: 2, minOccupancy: 1, maxOccupancy: 2, rooms: 1, smoking: false, accessible: false, sortOrder: 0, version: 1 },
      moreHistory: false,
    });
  });

  test("all faults are reported at once, in the order of the fields", async () => {
    const answer = await visitor.post("/category/new", { hotelCode: "", code: "", name: "", minOccupancy: "4", photos: "x", rooms: "x" });
    const fields = [...answer.body.matchAll(/href="#f-(\w+)"/g)].map((found) => found[1]);
    assert.deepEqual(fields, ["hotelCode", "code", "name", "minOccupancy", "rooms", "photos"]);
  });

  test("a code of more than 8 characters is stored with a warning", async () => {
    await visitor.post("/category/new", { hotelCode: "H1", code: "DOUBLE123", name: "Double" });
    assert.match((await visitor.get("/category/H1/DOUBLE123/edit")).body, /has 9 characters; AlpineBits senders allow at most 8/);
    await visitor.post("/category/new", { hotelCode: "H1", code: "DOUBLE12", name: "Double" });
    assert.doesNotMatch((await visitor.get("/category/H1/DOUBLE12/edit")).body, /characters; AlpineBits/);
  });
});
