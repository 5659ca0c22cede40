import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import {
  availMessage,
  countMessage,
  makeCategory,
  makeHotel,
  makeProperty,
  postMessage,
  rateMessage,
  textOf,
  TODAY,
  summarise,
} from "../../test/support/hotel.ts";
import { fillDatabase } from "../cli/seed/fill.ts";

const CONTROL = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const BAR = `${CONTROL} RatePlanCode="BAR"`;

for (const grid of ["inventories", "rates"]) {
  test(`/${grid} splits a long list of properties into pages`, async () => {
    await using service = await startApp();
    const amounts = { properties: 51, categories: 1, plans: 0, nights: 0, errors: 0, messages: 0 };
    await fillDatabase(service.database, amounts, { now: service.clock.now(), progress() {} });
    const links = async (url: string) =>
      [...(await service.inject(url)).body.matchAll(new RegExp(`href="/${grid}\\?property=SEED(\\d+)"`, "g"))].length;
    assert.equal(await links(`/${grid}`), 50);
    const next = /href="([^"]+)" rel="next"/.exec((await service.inject(`/${grid}`)).body)![1]!.replaceAll("&amp;", "&");
    assert.equal(await links(next), 1);
    assert.match(textOf(await service.inject(`/${grid}?page=9`)), /Page 9 does not exist\./);
    const data = (await service.inject(`/${grid}?format=json&page=2`)).json<{ total: number; properties: object[] }>();
    assert.deepEqual([data.total, data.properties.length], [51, 1]);
  });

  test(`/${grid} returns the same JSON for one property as for several`, async () => {
    await using service = await startApp();
    await makeHotel(service);
    await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 7]] }));
    await postMessage(service, rateMessage({ control: BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="1234.50"'] }));
    const read = async () => {
      await summarise(service);
      return (await service.inject(`/${grid}?format=json&from=2026-11-26&days=7`)).json();
    };
    const one = await read();
    assert.deepEqual([one.total, one.page, one.size, one.properties.length], [1, 1, 50, 1]);
    const { nights, lastMessageAt, ...property } = one.properties[0];
    assert.match(lastMessageAt, /^2026-11-20T09:00:00/);
    assert.deepEqual(property, { code: "ALP", name: "Alpenblick" });
    assert.equal(nights.length, 7);
    const problems = ["no price", "no count"];
    const value = { available: 7, price: "1234.50", currency: "EUR" };
    assert.deepEqual(nights.slice(0, 2), [
      { night: "2026-11-26", ...value, problems },
      { night: "2026-11-27", problems },
    ]);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    const two = await read();
    assert.deepEqual([two.total, two.properties[0]], [2, one.properties[0]]);
    assert.deepEqual(two.properties[1].nights[0], { night: "2026-11-26" });
  });

  test(`/${grid} names the property in its title and offers to create the first category`, async () => {
    await using service = await startApp();
    await makeProperty(service, { code: "ALP", name: "Alpenblick" });
    const { body } = await service.inject(`/${grid}?property=ALP`);
    assert.match(body, /No categories yet\.[\s\S]*<a class="button primary" href="\/category\/new\?hotelCode=ALP">/);
    assert.match(body, /<title>(?:Inventories|Rates) · Alpenblick · Roomrack<\/title>/);
    assert.match(body, /<h1>(?:Inventories|Rates)<\/h1>/);
    assert.doesNotMatch(body, /Legend/);
    await makeCategory(service, { hotelCode: "ALP", code: "DBL", name: "Double room" });
    assert.doesNotMatch((await service.inject(`/${grid}?property=ALP`)).body, /No categories yet/);
  });
}

for (const [grid, other] of [
  ["inventories", "rates"],
  ["rates", "inventories"],
] as const) {
  test(`/${grid} links to ${other} and to other properties for the same nights`, async () => {
    await using service = await startApp();
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    const nights = "from=2027-03-01&days=7&view=list";
    const { body } = await service.inject(`/${grid}?property=ALP&category=DBL&${nights}`);
    const linkTo = (page: string, label: string) =>
      new RegExp(`href="([^"]+)"[^>]*>\\s*${label}<`).exec(page)?.[1]?.replaceAll("&amp;", "&");
    const tabs = body.slice(body.indexOf('aria-label="Property"'));
    const toOtherGrid = linkTo(tabs, other === "rates" ? "Rates" : "Inventories")!;
    assert.equal(toOtherGrid, `/${other}?property=ALP&${nights}&category=DBL`);
    assert.equal((await service.inject(toOtherGrid)).statusCode, 200);
    const toOthers = new URLSearchParams({ tab: grid, nights, q: "sea" });
    for (const [, name = "", value = ""] of body.matchAll(/type="hidden" name="(tab|nights)" value="([^"]*)"/g))
      assert.equal(value.replaceAll("&amp;", "&"), toOthers.get(name), name);
    const found = (await service.inject(`/tools/search?${toOthers.toString()}`)).body;
    assert.equal(linkTo(found, "Seaside"), `/${grid}?property=SEA&${nights}`);
    const searched = (await service.inject(`/${grid}?choose=property&q=sea&size=100&sort=-code&${nights}`)).body;
    assert.equal(linkTo(searched, "Seaside"), `/${grid}?property=SEA&${nights}`);
    for (const name of ["from", "days", "view", "sort", "size"])
      assert.match(searched, new RegExp(`<input[^>]* name="${name}"`), "kept by the search form");
  });

  test(`/${grid} reports invalid nights above the list of properties`, async () => {
    await using service = await startApp();
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    const page = await service.inject(`/${grid}?choose=property&from=tomorrow&days=90`);
    assert.equal(page.statusCode, 422);
    assert.match(textOf(page), /not “tomorrow” .*from 1 to 62.* 14 nights from 2026-11-20 .* Seaside SEA/);
  });

  test(`/${grid} rejects dates that are too far away and links each error to its field`, async () => {
    await using service = await startApp();
    await makeHotel(service);
    const far = await service.inject(`/${grid}?property=ALP&from=2200-01-01`);
    assert.equal(far.statusCode, 422);
    assert.match(textOf(far), /Enter a date from 1990-01-01 to 2199-12-31, not 2200-01-01/);
    const { body } = await service.inject(`/${grid}?property=ALP&night=never`);
    const [, field = ""] = /<a href="#([^"]+)">Enter a date such as/.exec(body) ?? [];
    assert.ok(body.includes(`id="${field}"`), `no #${field}`);
  });
}

eachEngine("the list of properties", (open) => {
  test("shows free rooms in active categories and the last message", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    await makeProperty(service, { code: "OLD", name: "Old Mill", status: "inactive" });
    await makeCategory(service, { hotelCode: "OLD", code: "DBL", name: "Double room" });
    const counts = (category: string, first: string, count: number) =>
      postMessage(service, countMessage({ control: `Start="${first}" End="${first}" InvTypeCode="${category}"`, counts: [[2, count]] }));
    await counts("DBL", TODAY, 3);
    await counts("SGL", TODAY, 2);
    await counts("SGL", "2026-11-21", 4);
    await summarise(service);
    const text = textOf(await service.inject("/inventories"));
    assert.match(text, /Alpenblick ALP just now 5 4 - no data/);
    assert.match(text, /Old Mill OLD no messages - no data .*Seaside SEA no messages - no data/);
    const later = textOf(await service.inject("/inventories?choose=property&from=2026-11-21&days=7"));
    assert.match(later, /2026-11-21 to 2026-11-27 .*Alpenblick ALP just now 4 - no data/);
  });

  test("shows the lowest sellable price", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    const night = (category: string) => `Start="${TODAY}" End="${TODAY}" InvTypeCode="${category}"`;
    for (const [category, price] of [
      ["DBL", 120],
      ["SGL", 80],
    ] as const) {
      const amounts = [`NumberOfGuests="2" AmountAfterTax="${price}"`];
      await postMessage(service, rateMessage({ control: `${night(category)} RatePlanCode="BAR"`, amounts }));
    }
    await postMessage(service, countMessage({ control: night("DBL"), counts: [[2, 1]] }));
    await postMessage(service, countMessage({ control: night("SGL"), counts: [[2, 0]] }));
    await summarise(service);
    const text = textOf(await service.inject("/rates"));
    assert.match(text, /Alpenblick ALP just now 120 - no data/, "the single room for 80 is sold out");
    assert.match(text, /Seaside SEA no messages - no data/);
  });
});

test("sorts categories by sort order, name and code, like the property page", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const later = { hotelCode: "ALP", name: "Apartment", sortOrder: "1" };
  for (const code of ["ZIM", "APT"]) await makeCategory(service, { ...later, code });
  const order = ["DBL", "APT", "ZIM", "SGL"];
  for (const grid of ["inventories", "rates"]) {
    const { categories } = (await service.inject(`/${grid}?property=ALP&format=json`)).json<{ categories: { code: string }[] }>();
    assert.deepEqual(
      categories.map(({ code }) => code),
      order,
    );
  }
  const { body } = await service.inject("/property/ALP");
  assert.deepEqual(
    [...body.matchAll(/<th scope="row">\s*<a href="\/category\/ALP\/(\w+)\/edit">/g)].map((row) => row[1]),
    order,
  );
});

test("shows each restriction on a night as text", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const stay = (type: string, time: number) => `<LengthOfStay MinMaxMessageType="${type}" Time="${time}"/>`;
  const stays = [stay("SetMaxLOS", 1), stay("SetForwardMinStay", 2), stay("SetForwardMaxStay", 14)].join("");
  const advance = '<RestrictionStatus Status="Open" MinAdvancedBookingOffset="P1D" MaxAdvancedBookingOffset="P30D"/>';
  await postMessage(
    service,
    availMessage(
      { control: BAR, content: `<LengthsOfStay>${stays}</LengthsOfStay>` },
      { control: BAR, content: '<RestrictionStatus Status="Close" Restriction="Arrival"/>' },
      { control: BAR, content: advance },
    ),
  );
  const text = await historyOf(service, "rates", "plan=BAR");
  for (const words of [
    "DBL, rate plan BAR",
    "Maximum stay (arrival) 1 night ",
    "Minimum stay (through) 2 nights ",
    "Maximum stay (through) 14 nights ",
    "Closed to arrival yes ",
    "Stop sell no ",
    "Book at least 1 day ahead ",
    "Book at most 30 days ahead ",
  ])
    assert.ok(text.includes(words), `${words}: ${text}`);
});

test("shows which guests an amount applies to", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const base = ['NumberOfGuests="1" AmountAfterTax="90"', 'NumberOfGuests="2" AmountBeforeTax="110"', 'AmountAfterTax="120"'];
  const children = ['AgeQualifyingCode="8" NumberOfGuests="2" AmountAfterTax="20"', 'AgeQualifyingCode="7" AmountAfterTax="5"'];
  const extra = (attributes: string) => `<AdditionalGuestAmount AgeQualifyingCode="8" Amount="10" ${attributes}/>`;
  const extras = ["", 'MinAge="3"', 'MaxAge="12"', 'MinAge="3" MaxAge="12"'].map(extra).join("");
  const message = rateMessage({ control: BAR, amounts: [...base, ...children] });
  await postMessage(
    service,
    message.replace("</BaseByGuestAmts>", `</BaseByGuestAmts><AdditionalGuestAmounts>${extras}</AdditionalGuestAmounts>`),
  );
  const text = await historyOf(service, "rates", "plan=BAR");
  for (const words of [
    "Amount after tax, 1 adult 90.00 EUR",
    "Amount before tax, 2 adults 110.00 EUR",
    "Amount after tax, any number of guests 120.00 EUR",
    "Amount after tax, 2 children 20.00 EUR",
    "Amount after tax, per infant 5.00 EUR",
    "10.00 EUR per child,",
    "10.00 EUR per child from 3 years,",
    "10.00 EUR per child up to 12 years,",
    "10.00 EUR per child from 3 to 12 years,",
  ])
    assert.ok(text.includes(words), `${words}: ${text}`);
});

test("the history shows each amount in the currency that applied at the time", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const send = (currency: string, amount: string) =>
    postMessage(service, rateMessage({ control: BAR, currency, amounts: [`NumberOfGuests="2" AmountAfterTax="${amount}"`] }));
  await send("JPY", "12000");
  await send("JPY", "13000");
  await send("USD", "100");
  await postMessage(service, rateMessage({ control: BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
  await postMessage(service, rateMessage({ control: BAR, amounts: [] }).replace("<OTA_HotelRateAmountNotifRQ", '$& NotifType="Remove"'));
  const text = await historyOf(service, "rates", "plan=BAR");
  const amounts = [...text.matchAll(/after tax, 2 adults: from (\S+(?: [A-Z]{3})?) to (\S+(?: [A-Z]{3})?)/g)].map(
    ([, from, to]) => `${from} ${to}`,
  );
  assert.deepEqual(amounts, [
    "90.00 EUR nothing",
    "100.00 USD 90.00 EUR",
    "13,000 JPY 100.00 USD",
    "12,000 JPY 13,000 JPY",
    "nothing 12,000 JPY",
  ]);
});

test("keeps the time, the filters and the number of days in links", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
  service.clock.set(START + 86_400_000);
  const kept = ["property=ALP", "category=DBL", "plan=BAR", "days=7", "asOf=2026-11-20T12%3A00", "only=closed"];
  const { body } = await service.inject(`/rates?${kept.join("&")}`);
  const nav = /<nav class="grid-nav"[\s\S]*?<\/nav>/.exec(body)![0];
  const links = [...nav.matchAll(/href="(\/rates[^"]+)"/g)].map((match) => match[1]!.replaceAll("&amp;", "&"));
  assert.ok(links.length > 2);
  const always = kept.filter((part) => !part.startsWith("days"));
  for (const link of links) for (const part of always) assert.ok(link.includes(part), `${part} in ${link}`);
  assert.ok(
    links.some((link) => link.includes("days=7") && link.includes("from=2026-11-28")),
    links.join("\n"),
  );
  assert.ok(body.includes(`href="/rates?${kept.filter((part) => !part.startsWith("asOf")).join("&amp;")}">Back to live`), body);
});

test("links each view to the other two, with four weeks for the calendar", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const of = "/inventories?property=ALP&category=DBL&days=7";
  const views = [
    { label: "Grid", to: of, view: "" },
    { label: "Calendar", to: `${of.replace("7", "28")}&view=calendar`, view: "&view=calendar" },
    { label: "Day by day", to: `${of}&view=list`, view: "&view=list" },
  ];
  for (const { label: current, view } of views) {
    const { body } = await service.inject(`${of}${view}`);
    for (const { label, to } of views) {
      const item =
        label === current ? `<span aria-current="true">${label}</span>` : `<a href="${to.replaceAll("&", "&amp;")}">${label}</a>`;
      assert.ok(body.includes(`<li>${item}</li>`), `${label} in ${current}`);
    }
    assert.equal(body.includes('class="calendar"'), current === "Calendar");
    assert.equal(body.includes('class="grid-days"'), current === "Day by day");
    assert.match(body, /<option value="DBL" selected>DBL · Double room<\/option>/);
    assert.match(body, /<summary>DBL, 7 days<\/summary>/);
  }
  assert.match((await service.inject(`${of}&only=zero`)).body, /<summary>DBL, 7 days, sold-out rows<\/summary>/);
  assert.match((await service.inject("/rates?property=ALP")).body, /<summary>All categories, all rate plans, 14 days<\/summary>/);
});

test("shows the selected night and links to the nights before and after it", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const selected = (night: string) => `/inventories?property=ALP&category=DBL&night=${night}`;
  const firsts: string[] = [];
  for (const night of ["2026-11-19", TODAY, "2026-12-03", "2026-12-04"])
    firsts.push((await service.inject(`${selected(night)}&format=json`)).json<{ from: string }>().from);
  assert.deepEqual(firsts, ["2026-11-19", TODAY, TODAY, "2026-12-04"]);
  const { body } = await service.inject(selected("2026-12-03"));
  const [, before, after] = /<li><a href="([^"]+)" data-step="ArrowLeft">[^]*?<li><a href="([^"]+)" data-step="ArrowRight">/.exec(body)!;
  assert.doesNotMatch(before!, /[?;]from=/);
  assert.match(after!, /[?;]from=2026-12-04&amp;.*night=2026-12-04/);
});

test("explains that the requested time predates the stored history", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 3]] }));
  const asOf = async (moment: number) => textOf(await service.inject(`/inventories?property=ALP&asOf=${new Date(moment).toISOString()}`));
  service.clock.set(START + 86_400_000);
  assert.match(await asOf(START - 1), /The stored history begins at [^.]+\. Earlier times/);
  assert.doesNotMatch(await asOf(START + 60_000), /Earlier times/);
});

test("treats only messages about an allotment as updates to it", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: BAR, counts: [[2, 3]] }));
  await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 9]] }));
  const stale = async () => {
    const csv = (await service.inject("/inventories?property=ALP&category=DBL&format=csv&only=stale2")).body.trim().split("\r\n").slice(1);
    return [...new Set(csv.map((line) => line.split(",").slice(1, 4).join("/")))];
  };
  assert.deepEqual(await stale(), []);
  service.clock.set(START + 3 * 86_400_000);
  assert.deepEqual(await stale(), ["DBL//", "DBL//BAR"]);
  await postMessage(service, countMessage({ control: BAR.replace(TODAY, "2026-11-24"), counts: [[2, 4]] }));
  assert.deepEqual(await stale(), ["DBL//"]);
});

async function historyOf(service: TestApp, grid: string, lane: string): Promise<string> {
  return textOf(await service.inject(`/${grid}?property=ALP&category=DBL&${lane}&night=${TODAY}`));
}
