import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp, type Visitor } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";

const INVALID: [field: string, typed: string, errorStart: string][] = [
  ["hotelCode", "", "Enter the code of an existing property"],
  ["hotelCode", "a/b", "Enter the code of an existing property"],
  ["hotelCode", "H9", "Enter the code of an existing property. Property H9 does not exist"],
  ["code", "", "Enter a code of up to 64"],
  ["code", "..", "Enter a code of up to 64"],
  ["code", "A/B", "Enter a code of up to 64 visible characters, except / and \\ (which many web servers"],
  ["code", "A".repeat(65), "Enter a code of up to 64"],
  ["name", "", "Enter a name of up to 255"],
  ["name", "x".repeat(256), "Enter a name of up to 255"],
  ["name", "a\u0000b", "Remove line breaks, tabs"],
  ["kind", "tent", "Choose a type"],
  ["status", "test", "Choose a status"],
  ["standardOccupancy", "0", "Enter a standard occupancy from 1 to 99"],
  ["standardOccupancy", "100", "Enter a standard occupancy from 1 to 99"],
  ["standardOccupancy", "2.5", "Enter a standard occupancy from 1 to 99"],
  ["minOccupancy", "0", "Enter a minimum occupancy from 1"],
  ["minOccupancy", "3", "Enter a minimum occupancy from 1"],
  ["maxOccupancy", "1", "Enter a maximum occupancy from the standard"],
  ["maxOccupancy", "100", "Enter a maximum occupancy from the standard"],
  ["maxAdults", "3", "Enter a maximum number of adults"],
  ["maxChildren", "-1", "Enter a maximum number of children"],
  ["maxInfants", "3", "Enter a maximum number of infants"],
  ["rooms", "-1", "Enter the number of rooms"],
  ["rooms", "10000", "Enter the number of rooms"],
  ["roomNames", `101, ${"x".repeat(65)}`, "Enter room names"],
  ["roomNames", "101, \u200b", "Enter room names"],
  ["roomNames", "101, 10\t2", "Enter room names"],
  ["size", "0", "Enter a size"],
  ["size", "10000.5", "Enter a size"],
  ["size", "1,000", "Enter a size"],
  ["size", "1,000.5", "Enter a size"],
  ["beds", "x".repeat(256), "Describe the beds"],
  ["amenities", "379", "Enter OpenTravel room amenity codes"],
  [
    "amenities",
    "2, wifi",
    "Enter OpenTravel room amenity codes (RMA) from 1 to 378, separated by commas, such as 2, 13, 123. Not valid: “wifi”",
  ],
  [
    "roomNames",
    `101, ${"x".repeat(65)}`,
    `Enter room names of up to 64 characters each, separated by commas. Not valid: “${"x".repeat(40)}…”`,
  ],
  [
    "roomNames",
    "\u{1f600}".repeat(65),
    `Enter room names of up to 64 characters each, separated by commas. Not valid: “${"\u{1f600}".repeat(40)}…”`,
  ],
  ["roomNames", Array.from({ length: 3_000 }, (_, at) => `Room ${at}`).join(), "Enter up to 20,000 characters in total"],
  [
    "photos",
    "https://example.com/1.jpg\n\nexample.com/2.jpg",
    "Enter up to 30 URLs starting with http:// or https://, one per line. Line 3 is not valid: “example.com/2.jpg”",
  ],
  [
    "photos",
    Array.from({ length: 31 }, (_, at) => `https://example.com/${at}.jpg`).join("\n"),
    "Enter up to 30 URLs starting with http:// or https://, one per line. You entered 31",
  ],
  ["description", "x".repeat(10_001), "Enter a description"],
  ["photos", "https://example.com/1.jpg\nfile:///etc/passwd", "Enter up to 30 URLs"],
  ["photos", Array(31).fill("https://example.com/1.jpg").join("\n"), "Enter up to 30 URLs"],
  ["sortOrder", "1.5", "Enter a sort order"],
  ["sortOrder", "1000000000", "Enter a sort order"],
];

const VALID: [field: string, typed: string, stored: unknown][] = [
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
  ["beds", "1 double, 1 sofa bed", "1 double, 1 sofa bed"],
  ["smoking", "on", true],
  ["accessible", "on", true],
  ["amenities", "2,13, 002", "2, 13"],
  ["amenities", "378", "378"],
  ["photos", "https://example.com/1.jpg\r\n\r\n http://example.com/2.jpg ", "https://example.com/1.jpg\nhttp://example.com/2.jpg"],
  ["sortOrder", "-999999999", -999_999_999],
];

eachEngine("the category form", (open) => {
  let service: TestApp;
  let visitor: Visitor;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
    visitor = service.visitor();
    await visitor.post("/property/new", { code: "H1", name: "Adler" });
  });
  afterEach(() => service.close());

  test("shows an error for each invalid value beside its field and in the summary", async () => {
    for (const [field, typed, errorStart] of INVALID) {
      const answer = await visitor.post("/category/new", { hotelCode: "H1", code: "DBL", name: "Double", [field]: typed });
      const what = `${field}=${JSON.stringify(typed.slice(0, 20))}`;
      assert.equal(answer.statusCode, 422, what);
      assert.match(answer.body, /<title>Error: New category/, what);
      assert.ok(answer.body.includes(`<a href="#f-${field}">${errorStart}`), `${what}: summary`);
      assert.ok(answer.body.includes(`id="e-${field}">${errorStart}`), `${what}: beside the field`);
    }
    assert.equal((await service.inject("/category?format=json")).json().total, 0);
  });

  test("stores values at the limits", async () => {
    for (const [index, [field, typed, expected]] of VALID.entries()) {
      const code = `C${index}`;
      const answer = await visitor.post("/category/new", { hotelCode: "H1", code, name: "Double", [field]: typed });
      assert.equal(answer.statusCode, 303, `${field}=${typed}`);
      const stored = (await service.inject(`/category/H1/${code}/edit?format=json`)).json();
      assert.deepEqual(stored[field], expected, `${field}=${typed}`);
    }
  });

  test("requires only a property, a code and a name", async () => {
    assert.equal((await visitor.post("/category/new", { hotelCode: "H1", code: "DBL", name: "Double" })).statusCode, 303);
    const { createdAt, updatedAt, history, ...stored } = (await service.inject("/category/H1/DBL/edit?format=json")).json();
    assert.deepEqual([updatedAt, history.length], [createdAt, 1]);
    assert.deepEqual(stored, {
      ...{ hotelCode: "H1", code: "DBL", name: "Double", kind: "room", status: "active" },
      ...{ standardOccupancy: 2, minOccupancy: 1, maxOccupancy: 2, rooms: 1, smoking: false, accessible: false, sortOrder: 0, version: 1 },
      moreHistory: false,
    });
  });

  test("reports all errors together, in field order", async () => {
    const answer = await visitor.post("/category/new", { hotelCode: "", code: "", name: "", minOccupancy: "4", photos: "x", rooms: "x" });
    const fields = [...answer.body.matchAll(/href="#f-(\w+)"/g)].map((found) => found[1]);
    assert.deepEqual(fields, ["hotelCode", "code", "name", "minOccupancy", "rooms", "photos"]);
  });

  test("warns about a code longer than 8 characters", async () => {
    await visitor.post("/category/new", { hotelCode: "H1", code: "DOUBLE123", name: "Double" });
    assert.match(
      (await visitor.get("/category/H1/DOUBLE123/edit")).body,
      /has 9 characters\. AlpineBits allows 8, so some systems may reject it/,
    );
    await visitor.post("/category/new", { hotelCode: "H1", code: "DOUBLE12", name: "Double" });
    assert.doesNotMatch((await visitor.get("/category/H1/DOUBLE12/edit")).body, /AlpineBits allows 8/);
  });
});
