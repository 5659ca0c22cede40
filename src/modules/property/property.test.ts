import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { PROPERTY_FIELDS } from "../../records/property/property.ts";

const LINE_BREAK = "two\nlines";
const CONTROL = "a\u0000b";
const INVISIBLE = "Remove line breaks, tabs and other invisible characters";

const INVALID: [field: string, typed: string, errorStart: string][] = [
  ["code", "", "Enter a code of up to 64"],
  ["code", "-A", "Enter a code of up to 64"],
  ["code", "A B", "Enter a code of up to 64"],
  ["code", "A/B", "Enter a code of up to 64"],
  ["code", "Ä", "Enter a code of up to 64"],
  ["code", "A".repeat(65), "Enter a code of up to 64"],
  ["code", "new", "Choose another code; “new” is reserved"],
  ["name", "", "Enter a name of up to 128"],
  ["name", "   ", "Enter a name of up to 128"],
  ["name", "x".repeat(129), "Enter a name of up to 128"],
  ["name", "\u200b", "Enter a name of up to 128"],
  ["name", "\u115f\u1160\u3164\uffa0\ufe0f", "Enter a name of up to 128"],
  ["name", "\u{1f600}".repeat(129), "Enter a name of up to 128"],
  ["name", LINE_BREAK, INVISIBLE],
  ["name", CONTROL, INVISIBLE],
  ["name", "a\u0085b", INVISIBLE],
  ["name", "a\u2028b", INVISIBLE],
  ["city", "\u202eemoR", INVISIBLE],
  ["name", "Caf\ufffd", "Re-enter this text"],
  ["notes", "Caf\ufffd", "Re-enter this text"],
  ["status", "closed", "Choose a status"],
  ["propertyType", "0", "Choose a type"],
  ["stars", "5.5", "Choose 0 to 5"],
  ["stars", "3.2", "Choose 0 to 5"],
  ["currency", "eur", "Enter a three-letter currency code"],
  ["currency", "DEM", "Enter a three-letter currency code"],
  ["currency", "HRK", "Enter a three-letter currency code"],
  ["timeZone", "Europe/Nowhere", "Choose a time zone"],
  ["timeZone", "+01:00", "Choose a time zone"],
  ["country", "XX", "Enter a two-letter country code"],
  ["country", "EU", "Enter a two-letter country code"],
  ["country", "it", "Enter a two-letter country code"],
  ["street", "x".repeat(256), "Enter a street"],
  ["city", "x".repeat(256), "Enter a city"],
  ["region", "x".repeat(256), "Enter a region"],
  ["postalCode", "x".repeat(33), "Enter a postal code"],
  ["latitude", "90.1", "Enter a latitude"],
  ["latitude", "1.12345678", "Enter a latitude"],
  ["latitude", "1e1", "Enter a latitude"],
  ["longitude", "-180.5", "Enter a longitude"],
  ["longitude", "east", "Enter a longitude"],
  ["phone", "1".repeat(33), "Enter a phone number"],
  ["email", "desk", "Enter an email address"],
  ["email", "desk@example", "Enter an email address"],
  ["email", "desk@exa%6dple.com", "Enter an email address"],
  ["email", "desk@bücher .example", "Enter an email address"],
  ["email", "desk@рф", "Enter an email address"],
  ["website", "ftp://example.com", "Enter a URL"],
  ["website", "javascript:alert(1)", "Enter a URL"],
  ["website", "example.com", "Enter a URL"],
  ["website", `https://example.com/${"x".repeat(2000)}`, "Enter a URL of up to 2,000 characters"],
  ["contactName", "x".repeat(129), "Enter a contact name"],
  ["checkInFrom", "24:00", "Enter the start of check-in"],
  ["checkInUntil", "9:00", "Enter the end of check-in"],
  ["checkOutUntil", "10:60", "Enter the end of check-out"],
  ["languages", "de, klingon", "Enter two-letter language codes"],
  ["languages", "de, xx, yy", "Enter two-letter language codes separated by commas, such as de, it, en. Not valid: “xx”"],
  ["minChildAge", "-1", "Enter a minimum child age"],
  ["maxChildAge", "18", "Enter a maximum child age"],
  ["horizonDays", "99", "Enter a booking horizon"],
  ["horizonDays", "1101", "Enter a booking horizon"],
  ["horizonDays", "1e3", "Enter a booking horizon"],
  ["description", "x".repeat(10_001), "Enter a description"],
  ["notes", CONTROL, "Remove control characters"],
  ["notes", "a\u0085b", "Remove control characters"],
  ["groupName", "x".repeat(65), "Enter a group name"],
  ["assumeOpen", "yes", "Enter on or off"],
  ["externalId", "x".repeat(129), "Enter an external ID"],
];

const VALID: [field: string, typed: string, stored: unknown][] = [
  ["name", "x".repeat(128), "x".repeat(128)],
  ["name", "\u{1f600}".repeat(128), "\u{1f600}".repeat(128)],
  ["name", "Al\u200dpen 日本", "Al\u200dpen 日本"],
  ["status", "test", "test"],
  ["stars", "0", 0],
  ["stars", "4.5", 4.5],
  ["currency", "XCG", "XCG"],
  ["currency", "VED", "VED"],
  ["currency", "CLF", "CLF"],
  ["timeZone", "europe/rome", "Europe/Rome"],
  ["timeZone", "asia/kolkata", "Asia/Kolkata"],
  ["timeZone", "Europe/Kyiv", "Europe/Kyiv"],
  ["timeZone", "Asia/Calcutta", "Asia/Calcutta"],
  ["timeZone", "Etc/GMT+5", "Etc/GMT+5"],
  ["country", "IT", "IT"],
  ["postalCode", "x".repeat(32), "x".repeat(32)],
  ["phone", "+39 0473 1", "+39 0473 1"],
  ["email", "desk@example.com", "desk@example.com"],
  ["email", "o'brien+desk@hotel-münchen.example", "o'brien+desk@hotel-münchen.example"],
  ["email", "desk@отель.рф", "desk@отель.рф"],
  ["email", "desk@xn--e1aybc.xn--p1ai", "desk@xn--e1aybc.xn--p1ai"],
  ["website", "https://example.com/x?y=1", "https://example.com/x?y=1"],
  ["checkInFrom", "00:00", "00:00"],
  ["checkOutUntil", "23:59", "23:59"],
  ["languages", "DE,it ,de", "de, it"],
  ["minChildAge", "0", 0],
  ["maxChildAge", "17", 17],
  ["horizonDays", "100", 100],
  ["horizonDays", "1100", 1100],
  ["horizonDays", "", 750],
  ["assumeOpen", "", false],
  ["knownPlansOnly", "on", true],
  ["pricesIncludeTax", "", false],
  ["pricesIncludeTax", "0", false],
  ["description", "one\r\n\ttwo", "one\n\ttwo"],
];

eachEngine("the property form", (open) => {
  let service: TestApp;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
  });
  afterEach(() => service.close());

  test("shows an error for each invalid value beside its field and in the summary", async () => {
    const visitor = service.visitor();
    for (const [field, typed, errorStart] of INVALID) {
      const answer = await visitor.post("/property/new", { code: "A1", name: "Adler", [field]: typed });
      const what = `${field}=${JSON.stringify(typed.slice(0, 20))}`;
      assert.equal(answer.statusCode, 422, what);
      assert.match(answer.body, /<title>Error: New property/, what);
      assert.ok(answer.body.includes(`<a href="#f-${field}">${errorStart}`), `${what}: summary`);
      assert.ok(answer.body.includes(`id="e-${field}">${errorStart}`), `${what}: beside the field`);
    }
    assert.equal((await service.inject("/property?format=json")).json().total, 0);
  });

  test("stores values at the limits", async () => {
    const visitor = service.visitor();
    for (const [index, [field, typed, expected]] of VALID.entries()) {
      const code = `A${index}`;
      const answer = await visitor.post("/property/new", { code, name: "Adler", [field]: typed });
      assert.equal(answer.statusCode, 303, `${field}=${typed}`);
      const stored = (await service.inject(`/property/${code}?format=json`)).json();
      assert.deepEqual(stored[field], expected, `${field}=${typed}`);
    }
  });

  test("requires only a code and a name", async () => {
    const visitor = service.visitor();
    assert.equal((await visitor.post("/property/new", { code: "A1", name: "Adler" })).statusCode, 303);
    const { history, ...stored } = (await service.inject("/property/A1?format=json")).json();
    const times = { createdAt: "2026-11-20T09:00:00.000Z", updatedAt: "2026-11-20T09:00:00.000Z" };
    assert.deepEqual(stored, {
      ...{ code: "A1", name: "Adler", status: "active", propertyType: "20", currency: "EUR", timeZone: "UTC" },
      ...{ assumeOpen: true, knownPlansOnly: false, pricesIncludeTax: true, horizonDays: 750, version: 1 },
      ...{ categories: 0, ...times, moreHistory: false },
    });
    assert.equal(history.length, 1);
  });

  test("never moves the edit time backwards when the clock is set back", async () => {
    const visitor = service.visitor();
    await visitor.post("/property/new", { code: "A1", name: "Adler" });
    service.clock.set(service.clock.now() - 3_600_000);
    assert.equal((await visitor.post("/property/A1/edit", { name: "Adler Post", version: "1" })).statusCode, 303);
    const { name, updatedAt } = (await service.inject("/property/A1?format=json")).json();
    assert.deepEqual([name, updatedAt], ["Adler Post", "2026-11-20T09:00:00.000Z"]);
  });

  test("offers current time zone names and keeps an old one as entered", async () => {
    const visitor = service.visitor();
    const offered = [...(await visitor.get("/property/new")).body.matchAll(/<option value="([A-Z]\w+\/[^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(
      ["Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "Europe/Kiev", "America/Nuuk"].map((name) => offered.includes(name)),
      [true, false, true, false, true],
    );
    assert.deepEqual(offered, offered.toSorted());
    await visitor.post("/property/new", { code: "A1", name: "Adler", timeZone: "Asia/Calcutta" });
    assert.match((await visitor.get("/property/A1/edit")).body, /<option value="Asia\/Calcutta" selected>/);
  });

  test("requires both coordinates or neither", async () => {
    const visitor = service.visitor();
    const half = await visitor.post("/property/new", { code: "A1", name: "Adler", latitude: "46.6713" });
    assert.match(half.body, /id="e-longitude">Enter a longitude, or clear/);
    const other = await visitor.post("/property/new", { code: "A1", name: "Adler", longitude: "11.1525" });
    assert.match(other.body, /id="e-latitude">Enter a latitude, or clear/);
    const both = await visitor.post("/property/new", { code: "A1", name: "Adler", latitude: "-46.6713", longitude: "11.1525" });
    assert.equal(both.statusCode, 303);
    assert.equal((await service.inject("/property/A1?format=json")).json().latitude, -46.6713);
    await visitor.post("/property/A1/edit", { latitude: "46,5", longitude: "11,25" });
    const { latitude, longitude } = (await service.inject("/property/A1?format=json")).json();
    assert.deepEqual([latitude, longitude], [46.5, 11.25], "decimal commas are accepted");
    assert.match(
      (await visitor.get("/property/A1/edit")).body,
      /id="f-latitude"\s+name="latitude"\s+type="text"\s+inputmode="text"/,
      "a minus can be typed",
    );
  });

  test("refuses a maximum child age below the minimum", async () => {
    const visitor = service.visitor();
    const answer = await visitor.post("/property/new", { code: "A1", name: "Adler", minChildAge: "5", maxChildAge: "4" });
    assert.match(answer.body, /id="e-maxChildAge">Enter a maximum child age that is not below the minimum/);
    assert.equal((await visitor.post("/property/new", { code: "A1", name: "Adler", minChildAge: "4", maxChildAge: "4" })).statusCode, 303);
  });

  test("reports all errors together, in field order", async () => {
    const visitor = service.visitor();
    const answer = await visitor.post("/property/new", { notes: CONTROL, name: "", code: "", latitude: "1", horizonDays: "5" });
    const fields = [...answer.body.matchAll(/href="#f-(\w+)"/g)].map((found) => found[1]);
    assert.deepEqual(fields, ["code", "name", "longitude", "horizonDays", "notes"]);
  });

  test("warns about a code longer than 16 characters", async () => {
    const visitor = service.visitor();
    const code = "LONG.CODE~OF:17-_";
    assert.equal(code.length, 17);
    const answer = await visitor.post("/property/new", { code, name: "Adler" });
    assert.equal(answer.headers.location, "/property/LONG.CODE~OF%3A17-_");
    assert.match(
      (await visitor.get(String(answer.headers.location))).body,
      /has 17 characters\. OpenTravel allows 16, so some systems may reject it/,
    );
  });

  test("the form for a new property has every field of a property", async () => {
    const { body } = await service.inject("/property/new");
    const missing = PROPERTY_FIELDS.filter((name) => !body.includes(`id="f-${name}"`));
    assert.deepEqual(missing, []);
  });

  test("treats codes as case-sensitive", async () => {
    const visitor = service.visitor();
    assert.equal((await visitor.post("/property/new", { code: "a1", name: "Small" })).statusCode, 303);
    assert.equal((await visitor.post("/property/new", { code: "A1", name: "Large" })).statusCode, 303);
    assert.match((await visitor.get("/property/a1")).body, /<h1>Small<\/h1>/);
  });
});
