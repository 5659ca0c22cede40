import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";

const LINE_BREAK = "two\nlines";
const CONTROL = "a\u0000b";
const UNSEEN = "Take out line breaks, tabs and other characters that cannot be seen";

/** What is typed into a field, and the start of what is said about it. */
const REFUSED: [field: string, typed: string, message: string][] = [
  ["code", "", "Enter a code of up to 64"],
  ["code", "-A", "Enter a code of up to 64"],
  ["code", "A B", "Enter a code of up to 64"],
  ["code", "A/B", "Enter a code of up to 64"],
  ["code", "Ä", "Enter a code of up to 64"],
  ["code", "A".repeat(65), "Enter a code of up to 64"],
  ["code", "new", "Choose another code: new is"],
  ["name", "", "Enter a name of up to 128"],
  ["name", "   ", "Enter a name of up to 128"],
  ["name", "x".repeat(129), "Enter a name of up to 128"],
  ["name", "\u200b", "Enter a name of up to 128"],
  ["name", "\u115f\u1160\u3164\uffa0\ufe0f", "Enter a name of up to 128"],
  ["name", "\u{1f600}".repeat(129), "Enter a name of up to 128"],
  ["name", LINE_BREAK, UNSEEN],
  ["name", CONTROL, UNSEEN],
  ["name", "a\u0085b", UNSEEN],
  ["name", "a\u2028b", UNSEEN],
  ["city", "\u202eemoR", UNSEEN],
  ["name", "Caf\ufffd", "Enter the text anew"],
  ["notes", "Caf\ufffd", "Enter the text anew"],
  ["status", "closed", "Choose a status"],
  ["propertyType", "0", "Choose a type"],
  ["stars", "5.5", "Choose from 0 to 5"],
  ["stars", "3.2", "Choose from 0 to 5"],
  ["currency", "eur", "Choose a currency"],
  ["currency", "DEM", "Choose a currency"],
  ["currency", "HRK", "Choose a currency"],
  ["timeZone", "Europe/Nowhere", "Choose a time zone"],
  ["timeZone", "+01:00", "Choose a time zone"],
  ["country", "XX", "Choose a country"],
  ["country", "EU", "Choose a country"],
  ["country", "it", "Choose a country"],
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
  ["email", "desk", "Enter an e-mail address"],
  ["email", "desk@example", "Enter an e-mail address"],
  ["email", "desk@exa%6dple.com", "Enter an e-mail address"],
  ["email", "desk@bücher .example", "Enter an e-mail address"],
  ["email", "desk@рф", "Enter an e-mail address"],
  ["website", "ftp://example.com", "Enter an address"],
  ["website", "javascript:alert(1)", "Enter an address"],
  ["website", "example.com", "Enter an address"],
  ["website", `https://example.com/${"x".repeat(2000)}`, "Enter an address of up to 2,000 characters"],
  ["contactName", "x".repeat(129), "Enter a contact name"],
  ["checkInFrom", "24:00", "Enter the start of check-in"],
  ["checkInUntil", "9:00", "Enter the end of check-in"],
  ["checkOutUntil", "10:60", "Enter the end of check-out"],
  ["languages", "de, klingon", "Enter language codes"],
  ["languages", "de, xx, yy", "Enter language codes of two letters between commas, such as de, it, en; not “xx”"],
  ["minChildAge", "-1", "Enter the lowest age"],
  ["maxChildAge", "18", "Enter the highest age"],
  ["horizonDays", "99", "Enter the days that can be sold ahead"],
  ["horizonDays", "1101", "Enter the days that can be sold ahead"],
  ["horizonDays", "1e3", "Enter the days that can be sold ahead"],
  ["description", "x".repeat(10_001), "Enter a description"],
  ["notes", CONTROL, "Take out control characters"],
  ["notes", "a\u0085b", "Take out control characters"],
  ["groupName", "x".repeat(65), "Enter a group"],
  ["assumeOpen", "yes", "Tick the box"],
  ["externalId", "x".repeat(129), "Enter an external id"],
];

/** Values at the edge of what is allowed, and how they are kept. */
const ALLOWED: [field: string, typed: string, kept: unknown][] = [
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

eachEngine("The rules of a property", (open) => {
  let service: TestApp;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
  });
  afterEach(() => service.close());

  async function visitor() {
    const one = service.visitor();
    return one;
  }

  test("a value that is not allowed is refused beside its field and in the summary, and kept in the form", async () => {
    const one = await visitor();
    for (const [field, typed, message] of REFUSED) {
      const answer = await one.post("/property/new", { code: "A1", name: "Adler", [field]: typed });
      const what = `${field}=${JSON.stringify(typed.slice(0, 20))}`;
      assert.equal(answer.statusCode, 422, what);
      assert.match(answer.body, /<title>Error: New property/, what);
      assert.ok(answer.body.includes(`<a href="#f-${field}">${message}`), `${what}: summary`);
      assert.ok(answer.body.includes(`id="e-${field}">${message}`), `${what}: beside the field`);
    }
    assert.equal((await service.inject("/property?format=json")).json().total, 0);
  });

  test("values at the edge of the rules are stored", async () => {
    const one = await visitor();
    for (const [index, [field, typed, kept]] of ALLOWED.entries()) {
      const code = `A${index}`;
      const answer = await one.post("/property/new", { code, name: "Adler", [field]: typed });
      assert.equal(answer.statusCode, 303, `${field}=${typed}`);
      const stored = (await service.inject(`/property/${code}?format=json`)).json();
      assert.deepEqual(stored[field], kept, `${field}=${typed}`);
    }
  });

  test("a code and a name are enough; the rest has its default", async () => {
    const one = await visitor();
    assert.equal((await one.post("/property/new", { code: "A1", name: "Adler" })).statusCode, 303);
    const { history, ...stored } = (await service.inject("/property/A1?format=json")).json();
    const times = { createdAt: "2026-11-20T09:00:00.000Z", updatedAt: "2026-11-20T09:00:00.000Z" };
    assert.deepEqual(stored, {
      ...{ code: "A1", name: "Adler", status: "active", propertyType: "20", currency: "EUR", timeZone: "UTC" },
      ...{ assumeOpen: true, knownPlansOnly: false, pricesIncludeTax: true, horizonDays: 750, version: 1 },
      ...{ categories: 0, ...times, moreHistory: false },
    });
    assert.equal(history.length, 1);
  });

  test("the time of an edit does not go back when the clock of the machine does", async () => {
    const one = await visitor();
    await one.post("/property/new", { code: "A1", name: "Adler" });
    service.clock.set(service.clock.now() - 3_600_000);
    assert.equal((await one.post("/property/A1/edit", { name: "Adler Post", version: "1" })).statusCode, 303);
    const { name, updatedAt } = (await service.inject("/property/A1?format=json")).json();
    assert.deepEqual([name, updatedAt], ["Adler Post", "2026-11-20T09:00:00.000Z"]);
  });

  test("a time zone keeps the name that was given to it, and is offered under the one of today", async () => {
    const one = await visitor();
    const offered = [...(await one.get("/property/new")).body.matchAll(/<option value="([A-Z]\w+\/[^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(
      ["Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "Europe/Kiev", "America/Nuuk"].map((name) => offered.includes(name)),
      [true, false, true, false, true],
    );
    assert.deepEqual(offered, offered.toSorted());
    await one.post("/property/new", { code: "A1", name: "Adler", timeZone: "Asia/Calcutta" });
    assert.match((await one.get("/property/A1/edit")).body, /<option value="Asia\/Calcutta" selected>/);
  });

  test("coordinates come both or not at all", async () => {
    const one = await visitor();
    const half = await one.post("/property/new", { code: "A1", name: "Adler", latitude: "46.6713" });
    assert.match(half.body, /id="e-longitude">Enter the longitude too/);
    const other = await one.post("/property/new", { code: "A1", name: "Adler", longitude: "11.1525" });
    assert.match(other.body, /id="e-latitude">Enter the latitude too/);
    const both = await one.post("/property/new", { code: "A1", name: "Adler", latitude: "-46.6713", longitude: "11.1525" });
    assert.equal(both.statusCode, 303);
    assert.equal((await service.inject("/property/A1?format=json")).json().latitude, -46.6713);
    await one.post("/property/A1/edit", { latitude: "46,5", longitude: "11,25" });
    const { latitude, longitude } = (await service.inject("/property/A1?format=json")).json();
    assert.deepEqual([latitude, longitude], [46.5, 11.25], "whatever the comma");
    assert.match(
      (await one.get("/property/A1/edit")).body,
      /id="f-latitude"\s+name="latitude"\s+type="text"\s+inputmode="text"/,
      "a minus can be typed",
    );
  });

  test("the highest age of children is not below the lowest", async () => {
    const one = await visitor();
    const answer = await one.post("/property/new", { code: "A1", name: "Adler", minChildAge: "5", maxChildAge: "4" });
    assert.match(answer.body, /id="e-maxChildAge">Enter a highest age of children that is not below the lowest/);
    assert.equal((await one.post("/property/new", { code: "A1", name: "Adler", minChildAge: "4", maxChildAge: "4" })).statusCode, 303);
  });

  test("all faults are reported at once, in the order of the fields", async () => {
    const one = await visitor();
    const answer = await one.post("/property/new", { notes: CONTROL, name: "", code: "", latitude: "1", horizonDays: "5" });
    const fields = [...answer.body.matchAll(/href="#f-(\w+)"/g)].map((found) => found[1]);
    assert.deepEqual(fields, ["code", "name", "longitude", "horizonDays", "notes"]);
  });

  test("a code of more than 16 characters is stored with a warning", async () => {
    const one = await visitor();
    const code = "LONG.CODE~OF:17-_";
    assert.equal(code.length, 17);
    const answer = await one.post("/property/new", { code, name: "Adler" });
    assert.equal(answer.headers.location, "/property/LONG.CODE~OF%3A17-_");
    assert.match((await one.get(String(answer.headers.location))).body, /has 17 characters; some senders allow at most 16/);
  });

  test("codes differ by case", async () => {
    const one = await visitor();
    assert.equal((await one.post("/property/new", { code: "a1", name: "Small" })).statusCode, 303);
    assert.equal((await one.post("/property/new", { code: "A1", name: "Large" })).statusCode, 303);
    assert.match((await one.get("/property/a1")).body, /<h1>Small<\/h1>/);
  });
});
