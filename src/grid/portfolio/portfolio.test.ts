import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import {
  availMessage,
  countMessage,
  editRecord,
  makeCategory,
  makeProperty,
  postMessage,
  rateMessage,
  textOf,
  TODAY,
  summarise,
} from "../../../test/support/hotel.ts";
import { linkOf } from "../../../test/support/pages.ts";
import { sequenceChanges } from "../../journal/feed/sequence.ts";
import { findBacklog, refreshSummaries } from "../../journal/summary/refresh.ts";

const WEEKEND = { first: "2026-11-27", last: "2026-11-28" };
const MONTH = 'Start="2026-11-20" End="2026-12-31" InvTypeCode="DBL"';

/** Two properties with rooms and prices for a month, and one without any data. */
async function makePortfolio(service: TestApp): Promise<void> {
  for (const [code, name, group, country] of [
    ["ALP", "Alpenblick", "Alps", "IT"],
    ["SEA", "Seaside", "Coast", "HR"],
    ["NEW", "New house", "Coast", "IT"],
  ] as const) {
    await makeProperty(service, { code, name, groupName: group, country });
    await makeCategory(service, { hotelCode: code, code: "DBL", name: "Double room" });
  }
  for (const hotel of ["ALP", "SEA"]) {
    await postMessage(service, toHotel(hotel, countMessage({ control: MONTH, counts: [[2, 5]] })));
    const amounts = [`NumberOfGuests="2" AmountAfterTax="${hotel === "ALP" ? 80 : 120}"`];
    await postMessage(service, toHotel(hotel, rateMessage({ control: `${MONTH} RatePlanCode="BAR"`, amounts })));
  }
}

function toHotel(code: string, message: string): string {
  return message.replaceAll('HotelCode="ALP"', `HotelCode="${code}"`);
}

function close(hotel: string): string {
  const control = `Start="${WEEKEND.first}" End="${WEEKEND.last}" InvTypeCode="DBL"`;
  return toHotel(hotel, availMessage({ control, content: '<RestrictionStatus Status="Close"/>' }));
}

type Listed = { total: number; pendingChanges: number; properties: { code: string; nights: { problems?: string[] }[] }[] };

async function codesOf(service: TestApp, query: string): Promise<string[]> {
  await summarise(service);
  const { properties } = (await service.inject(`/inventories?format=json&${query}`)).json<Listed>();
  return properties.map(({ code }) => code);
}

eachEngine("the portfolio", (open) => {
  test("filters by problem and finds only properties that have it on the nights shown", async () => {
    await using service = await startApp({ database: await open() });
    await makePortfolio(service);
    await postMessage(service, close("SEA"));
    const zero = countMessage({ control: 'Start="2026-12-01" End="2026-12-01" InvTypeCode="DBL"', counts: [[2, 0]] });
    await postMessage(service, zero);
    assert.deepEqual(await codesOf(service, `problem=closed&from=${WEEKEND.first}&days=2`), ["SEA"]);
    assert.deepEqual(await codesOf(service, "problem=closed&from=2026-12-01&days=2"), []);
    assert.deepEqual(await codesOf(service, "problem=stop+sell&days=14"), ["SEA"]);
    assert.deepEqual(await codesOf(service, "problem=sold+out&days=14"), ["ALP"]);
    assert.deepEqual(await codesOf(service, "problem=sold+out&days=3"), []);
    assert.deepEqual(await codesOf(service, "problem=no+count&days=7"), ["NEW"]);
    assert.deepEqual(await codesOf(service, "problem=no+price&days=62"), ["ALP", "NEW", "SEA"], "no prices from January on");
    assert.deepEqual(await codesOf(service, "problem=price&priceMax=100&days=7"), ["SEA"]);
    assert.deepEqual(await codesOf(service, "problem=price&priceMin=90,50&days=7"), ["ALP"]);
  });

  test("the portfolio filters by group, country, status, text and last message, and paginates the results", async () => {
    await using service = await startApp({ database: await open() });
    await makePortfolio(service);
    assert.deepEqual(await codesOf(service, "group=coast"), ["NEW", "SEA"]);
    assert.deepEqual(await codesOf(service, "country=IT&silent=never"), ["NEW"]);
    assert.deepEqual(await codesOf(service, "q=sea"), ["SEA"]);
    assert.deepEqual(await codesOf(service, "group=islands"), []);
    await editRecord(service, "/property/NEW/edit", { status: "inactive" });
    assert.deepEqual(await codesOf(service, "status=inactive"), ["NEW"]);
    assert.deepEqual(await codesOf(service, "problem=no+count&days=62"), ["ALP", "SEA"], "an inactive property has no problems");
    const filtered = (await service.inject("/rates?format=json&problem=no+price&days=62&size=25&page=2")).json<Listed>();
    assert.deepEqual([filtered.total, filtered.properties.length], [2, 0]);
  });

  test("the portfolio as JSON is sorted by code and paged by cursor", async () => {
    await using service = await startApp({ database: await open() });
    await makePortfolio(service);
    for (let number = 10; number < 40; number++) await makeProperty(service, { code: `P${number}`, name: `Name ${90 - number}` });
    await summarise(service);
    const read = async (query: string) =>
      (await service.inject(`/inventories?format=json&days=1&size=25&${query}`)).json<Listed & { next: string | null; page?: number }>();
    const first = await read("after=");
    assert.deepEqual([first.total, first.properties.length, first.next, first.page], [33, 25, "P32", undefined]);
    const second = await read(`after=${first.next}`);
    assert.deepEqual([second.properties.map(({ code }) => code).join(), second.next], ["P33,P34,P35,P36,P37,P38,P39,SEA", null]);
    assert.deepEqual(
      (await read("after=ALP&problem=no+price&days=62")).properties.map(({ code }) => code),
      ["NEW", "SEA"],
    );
  });

  test("the portfolio keeps its next and previous pages consistent after a property is added", async () => {
    await using service = await startApp({ database: await open() });
    for (let number = 10; number < 70; number++) await makeProperty(service, { code: `P${number}`, name: `Name ${number % 3}` });
    const pageAt = async (url: string) => (await service.inject(url)).body;
    const rowsOn = (body: string) => [...body.matchAll(/<code>(P\d+)<\/code>/g)].map(([, code]) => code);
    const whole = await codesOf(service, "size=100");
    const first = await pageAt("/inventories?choose=property&size=25");
    await makeProperty(service, { code: "A1", name: "AAA" });
    const second = await pageAt(linkOf(first, "Next")!);
    assert.deepEqual(rowsOn(second), whole.slice(25, 50));
    const third = await pageAt(linkOf(second, "Next")!);
    assert.deepEqual(rowsOn(third), whole.slice(50));
    assert.deepEqual(rowsOn(await pageAt(linkOf(third, "Previous")!)), whole.slice(25, 50));
  });

  test("the portfolio reflects changes to a category's status", async () => {
    await using service = await startApp({ database: await open() });
    await makePortfolio(service);
    const available = async () => {
      await summarise(service);
      return (await service.inject("/inventories?format=json&q=alp&days=1")).json<{ properties: { nights: { available?: number }[] }[] }>()
        .properties[0]!.nights[0]!.available;
    };
    assert.equal(await available(), 5);
    await editRecord(service, "/category/ALP/DBL/edit", { status: "inactive" });
    assert.equal(await available(), undefined);
    await editRecord(service, "/category/ALP/DBL/edit", { status: "active" });
    assert.equal(await available(), 5);
  });

  test("summarises properties stored by an earlier version, and reports that it is doing so", async () => {
    await using service = await startApp({ database: await open() });
    await makePortfolio(service);
    await service.database.write.deleteFrom("summary_progress").execute();
    await service.database.write.deleteFrom("night_summary").execute();
    assert.deepEqual(await findBacklog(service.database), { changes: 0, since: undefined, isFilling: true });
    await summarise(service);
    assert.deepEqual(await findBacklog(service.database), { changes: 0, since: undefined, isFilling: false });
    assert.deepEqual(await codesOf(service, "problem=no+count&days=7"), ["NEW"]);
  });

  test("never replaces a newer summary with an older one if two processes summarise the same nights", async () => {
    await using service = await startApp({ database: await open() });
    await makePortfolio(service);
    const now = service.clock.now();
    for (let round = 0; round < 10; round++) {
      await postMessage(service, countMessage({ control: MONTH, counts: [[2, round + 10]] }));
      await Promise.all([refreshSummaries(service.database, now), refreshSummaries(service.database, now)]);
    }
    await summarise(service);
    const { body } = await service.inject("/inventories?format=csv&q=alp&days=1");
    assert.match(body, /ALP,Alpenblick,2026-11-20,19,80\.00,EUR,\r/);
  });
});

test("the portfolio shows the selected figure for each night and links it to the property's grid", async () => {
  await using service = await startApp();
  await makePortfolio(service);
  await postMessage(service, close("SEA"));
  await summarise(service);
  const page = await service.inject(`/inventories?from=${WEEKEND.first}&days=1`);
  assert.match(page.body, new RegExp(`<td><a href="\\?at=ALP/${WEEKEND.first}">5</a></td>`));
  assert.match(page.body, new RegExp(`<td class="closed"><a href="\\?at=SEA/${WEEKEND.first}"><i>Closed</i></a></td>`));
  const opened = await service.inject(`/inventories?at=ALP/${WEEKEND.first}`);
  assert.match(textOf(opened), /Inventories for Alpenblick, 2026-11-27 to /);
  const prices = (await service.inject(`/inventories?show=price&from=${TODAY}&days=1`)).body;
  assert.match(prices, new RegExp(`<a href="/rates\\?at=ALP/${TODAY}">80</a>`));
  assert.match(textOf(await service.inject(`/inventories?show=problems&from=${WEEKEND.first}&days=1`)), /Seaside SEA [^C]*CLO/);
});

test("the portfolio says how many changes it does not show yet", async () => {
  await using service = await startApp();
  await makePortfolio(service);
  const read = async () => textOf(await service.inject(`/inventories?from=${WEEKEND.first}&days=1`));
  assert.match(await read(), /The first summaries are still being created, so some nights are missing\./);
  await summarise(service);
  assert.match(await read(), /Up to date\./);
  await postMessage(service, close("SEA"));
  await sequenceChanges(service.database);
  assert.match(await read(), /1 change is not shown yet\. The oldest arrived just now[^.]*\. .*Seaside SEA just now 5/);
});

test("reports invalid filters beside their fields and still lists the properties", async () => {
  await using service = await startApp();
  await makePortfolio(service);
  const page = await service.inject("/inventories?days=63&problem=flood&priceMax=cheap");
  assert.equal(page.statusCode, 422);
  assert.match(
    textOf(page),
    /Enter a number of nights from 1 to 62 .*Choose a problem from the list .*Enter a price such as 80 .*Alpenblick/,
  );
  const json = await service.inject("/inventories?format=json&days=0");
  assert.deepEqual([json.statusCode, json.json()], [422, { errors: { days: "Enter a number of nights from 1 to 62" } }]);
});
