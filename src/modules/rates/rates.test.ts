import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import {
  availMessage,
  countMessage,
  editRecord,
  makeCategory,
  makeHotel,
  postMessage,
  rateMessage,
  textOf,
  TODAY,
} from "../../../test/support/hotel.ts";
import { formatNight, parseNight } from "../../calendar/night.ts";
import { localMoment, serverZone } from "../../web/parts/moment.ts";
import { exampleRequest } from "../channel/example.ts";
import { messages } from "../channel/messages/index.ts";

const DBL = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const BAR = `${DBL} RatePlanCode="BAR"`;
const BY_GUESTS = ['NumberOfGuests="1" AmountAfterTax="90.00"', 'NumberOfGuests="2" AmountAfterTax="120.00"'];
const stay = (type: string, time: number) => `<LengthsOfStay><LengthOfStay MinMaxMessageType="${type}" Time="${time}"/></LengthsOfStay>`;
const status = (value: "Open" | "Close", restriction = "") =>
  `<RestrictionStatus Status="${value}"${restriction && ` Restriction="${restriction}"`}/>`;

type Night = {
  night: string;
  sellable: boolean;
  sale: string;
  price?: { amount: string; currency: string; tax: string; guests: number; perPerson: boolean };
  amounts: { guests: number; tax: string; amount: string }[];
  [restriction: string]: unknown;
};
type Grid = { categories: { code: string; plans: { code: string; nights: Night[] }[] }[] };

eachEngine("the rates page", (open) => {
  test("shows posted amounts on the page, as CSV and as JSON", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
    const { body } = await service.inject("/rates?property=ALP");
    assert.match(cellOf(body, "BAR", TODAY), /<b>120<\/b>/);
    const night = await nightOf(service, "property=ALP", "BAR");
    assert.deepEqual(night.price, { amount: "120.00", currency: "EUR", tax: "after", guests: 2, perPerson: false, nights: 1 });
    assert.deepEqual(
      night.amounts.map(({ guests, amount }) => [guests, amount]),
      [
        [1, "90.00"],
        [2, "120.00"],
      ],
    );
    const csv = (await service.inject("/rates?property=ALP&format=csv&category=DBL&days=7")).body.split("\r\n");
    assert.match(csv[0]!, /^\ufeffproperty,category,plan,night,sellable,sale,price,currency,/);
    assert.match(
      csv[1]!,
      new RegExp(`^ALP,DBL,BAR,${TODAY},false,no count,120.00,EUR,after,2,.*after 1 10 1 90.00; after 2 10 1 120.00,1,,$`),
    );
  });

  test("with `asOf`, shows past amounts", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
    service.clock.set(START + 7_200_000);
    await postMessage(service, rateMessage({ control: BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="150.00"'] }));
    const before = localMoment(START + 3_600_000).replace(" ", "T");
    assert.equal((await nightOf(service, "property=ALP", "BAR")).price?.amount, "150.00");
    assert.equal((await nightOf(service, `property=ALP&asOf=${before}`, "BAR")).price?.amount, "120.00");
  });

  test("lists the messages that set amounts and restrictions", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }), "zenith");
    await postMessage(service, availMessage({ control: BAR, content: stay("SetMinLOS", 2) }), "other");
    const cell = cellOf((await service.inject("/rates?property=ALP")).body, "BAR", TODAY);
    const text = textOf(await service.inject(`/rates${/href="([^"]+)"/.exec(cell)![1]!.replaceAll("&amp;", "&")}`));
    assert.match(
      text,
      /Minimum stay \(arrival\) 2 nights message 2 from other, .* Amount after tax, 2 adults 120\.00 EUR message 1 from zenith, /,
    );
    assert.match(text, /Amount after tax, 2 adults: from nothing to 120\.00 EUR/);
    assert.match(text, /Minimum stay \(arrival\): from nothing to 2 nights/);
  });
});

test("shows the price for the standard occupancy or the nearest number of guests", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const price = async (...amounts: string[]) => {
    await postMessage(service, rateMessage({ control: BAR, amounts }));
    const { price: found } = await nightOf(service, "property=ALP", "BAR");
    return [found?.guests, found?.amount, found?.tax];
  };
  assert.deepEqual(await price('NumberOfGuests="3" AmountAfterTax="150"', 'NumberOfGuests="1" AmountAfterTax="90"'), [
    3,
    "150.00",
    "after",
  ]);
  assert.deepEqual(await price('NumberOfGuests="1" AmountAfterTax="90"', 'AmountAfterTax="110"'), [0, "110.00", "after"]);
  assert.deepEqual(await price('NumberOfGuests="2" AmountBeforeTax="100"', 'NumberOfGuests="1" AmountAfterTax="90"'), [
    2,
    "100.00",
    "before",
  ]);
  assert.match(cellOf((await service.inject("/rates?property=ALP")).body, "BAR", TODAY), /<b>100<\/b> <i>NET</);
  assert.deepEqual(await price('NumberOfGuests="2" AmountBeforeTax="100" AmountAfterTax="120"'), [2, "120.00", "after"]);
});

test("formats amounts by currency and marks a currency that differs from the row's", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const oneNight = 'Start="2026-11-21" End="2026-11-21" InvTypeCode="DBL" RatePlanCode="BAR"';
  const { body: answer } = await service.inject({
    method: "POST",
    url: "/channel",
    headers: { "content-type": "application/xml" },
    payload: rateMessage({ control: oneNight, currency: "JPY", amounts: ['NumberOfGuests="2" AmountAfterTax="15000"'] }),
  });
  assert.match(answer, /<Success\/>/);
  const { body } = await service.inject("/rates?property=ALP");
  assert.match(cellOf(body, "BAR", "2026-11-21"), /<b>15,<wbr \/>000<\/b> <small>JPY<\/small>/);
  assert.doesNotMatch(cellOf(body, "BAR", TODAY), /EUR/);
});

test("shows restrictions as badges", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(
    service,
    availMessage(
      { control: BAR, content: stay("SetMinLOS", 2) },
      { control: BAR, content: stay("SetMaxLOS", 7) },
      { control: BAR, content: stay("SetForwardMinStay", 3) },
      { control: BAR, content: stay("SetForwardMaxStay", 14) },
      { control: BAR, content: status("Close", "Arrival") },
      { control: BAR, content: status("Close", "Departure") },
      { control: BAR, content: '<RestrictionStatus Status="Close" MinAdvancedBookingOffset="P3D" MaxAdvancedBookingOffset="P30D"/>' },
    ),
  );
  const cell = cellOf((await service.inject("/rates?property=ALP")).body, "BAR", TODAY);
  const codes = [...cell.matchAll(/<i(?: role="img" aria-label="([^"]*)")?>([^<]*)</g)].map(([, label, code]) => label ?? code);
  const symbols = ["closed to arrival", "closed to departure", "2n"];
  assert.deepEqual(codes, ["Closed", ...symbols, "MAX 7", "MIN-T 3", "MAX-T 14", "ADV 3-30"]);
  const night = await nightOf(service, "property=ALP", "BAR");
  assert.deepEqual([night.stopSell, night.closedToArrival, night.minStayThrough, night.maxAdvance], [true, true, 3, 30]);
});

test("shows the booking window as one badge", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const codeOf = async (limits: string) => {
    await postMessage(service, availMessage({ control: BAR, content: `<RestrictionStatus Status="Open" ${limits}/>` }));
    return /<i>(ADV[^<]*)</.exec(cellOf((await service.inject("/rates?property=ALP")).body, "BAR", TODAY))?.[1];
  };
  assert.equal(await codeOf('MaxAdvancedBookingOffset="P30D"'), "ADV max 30");
  assert.equal(await codeOf('MinAdvancedBookingOffset="P3D"'), "ADV 3-30");
  assert.equal(await codeOf('MinAdvancedBookingOffset="P0D"'), "ADV max 30");
});

test("sells open nights with rooms and a price, and otherwise names the first reason", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const sale = async () => (await nightOf(service, "property=ALP", "BAR")).sale;
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  assert.equal(await sale(), "no count");
  await postMessage(service, countMessage({ control: DBL, counts: [[2, 0]] }));
  assert.equal(await sale(), "sold out");
  await postMessage(service, countMessage({ control: DBL, counts: [[2, 3]] }));
  assert.equal(await sale(), "sellable");
  assert.match(cellOf((await service.inject("/rates?property=ALP")).body, "BAR", TODAY), /^<td class="today"><a/);
  await postMessage(service, availMessage({ control: DBL, content: status("Close") }));
  assert.equal(await sale(), "stop sell");
  assert.match(cellOf((await service.inject("/rates?property=ALP")).body, "BAR", TODAY), /^<td class="closed .*<i>Closed</);
  await postMessage(service, availMessage({ control: DBL, content: status("Open") }));
  await postMessage(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" AllInvCode="true"` }));
  assert.equal(await sale(), "hotel closed");
});

test("does not sell past nights, except in views of the past", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: DBL, counts: [[2, 3]] }));
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const then = new Date(START + 60_000).toISOString();
  service.clock.set(START + 24 * 3_600_000);
  const sale = async (query = "") => (await nightOf(service, `property=ALP&from=${TODAY}${query}`, "BAR")).sale;
  assert.equal(await sale(), "past");
  assert.equal(await sale(`&asOf=${then}`), "sellable");
  const { body } = await service.inject(`/rates?property=ALP&from=${TODAY}`);
  assert.match(cellOf(body, "BAR", TODAY), /^<td class="open past"><a/);
  assert.match(cellOf(body, "BAR", "2026-11-21"), /^<td class="today"><a/);
});

test("sells no nights of an inactive category or property, except in views of the past", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: DBL, counts: [[2, 3]] }));
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  service.clock.set(START + 60_000);
  const sales = async (query = "") => (await nightOf(service, `property=ALP${query}`, "BAR")).sale;
  const inactive = async (url: string) => (await service.inject(url)).body.match(/<th[^>]*>(?:(?!<\/th>)[\s\S])*Inactive/g)?.length ?? 0;
  for (const [url, heads] of [
    ["/category/ALP/DBL/edit", 1],
    ["/property/ALP/edit", 2],
  ] as const) {
    await editRecord(service, url, { status: "inactive" });
    assert.equal(await sales(), "not active", url);
    assert.equal(await sales(`&asOf=${new Date(service.clock.now()).toISOString()}`), "sellable", url);
    assert.match(cellOf((await service.inject("/rates?property=ALP")).body, "BAR", TODAY), /^<td class="closed .*<i>Inactive</);
    assert.match((await service.inject("/rates?property=ALP&only=closed&format=csv")).body, /,BAR,2026-11-20,false,not active,/);
    assert.deepEqual([await inactive("/rates?property=ALP"), await inactive("/inventories?property=ALP")], [heads, heads], url);
    await editRecord(service, url, { status: "active" });
    assert.equal(await sales(), "sellable", url);
  }
  await editRecord(service, "/property/ALP/edit", { status: "test" });
  assert.equal(await sales(), "sellable");
});

test("sells only nights with an open status if the property treats nights as closed by default", async () => {
  await using service = await startApp();
  await makeHotel(service, { assumeOpen: "" });
  await postMessage(service, countMessage({ control: DBL, counts: [[2, 3]] }));
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  assert.equal((await nightOf(service, "property=ALP", "BAR")).sale, "not opened");
  await postMessage(service, availMessage({ control: BAR, content: status("Open") }));
  assert.equal((await nightOf(service, "property=ALP", "BAR")).sale, "sellable");
});

test("shows all rate plans or one rate plan, and a row for each category without rate plans", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(
    service,
    rateMessage({ control: BAR, amounts: BY_GUESTS }, { control: `${DBL} RatePlanCode="NRF"`, amounts: BY_GUESTS }),
  );
  const plans = async (query: string) => {
    const { categories } = (await service.inject(`/rates?property=ALP${query}&format=json`)).json<Grid>();
    return categories.map(({ code, plans: all }) => [code, ...all.map((plan) => plan.code)]);
  };
  assert.deepEqual(await plans(""), [
    ["DBL", "BAR", "NRF"],
    ["SGL", ""],
  ]);
  assert.deepEqual(await plans("&plan=NRF"), [
    ["DBL", "NRF"],
    ["SGL", "NRF"],
  ]);
  assert.match(
    textOf(await service.inject("/rates?property=ALP&category=SGL")),
    /SGL free rooms Single room (?:- no data ){14}SGL no rate plan EUR - no data/,
  );
});

test("filters for rows with problems", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const SGL = DBL.replace("DBL", "SGL");
  const free = ['NumberOfGuests="2" AmountAfterTax="0"'];
  const of = (plan: string) => `${DBL} RatePlanCode="${plan}"`;
  await postMessage(service, countMessage({ control: DBL, counts: [[2, 3]] }, { control: SGL, counts: [[2, 0]] }));
  await postMessage(
    service,
    rateMessage(
      ...["FLEX", "NRF", "SHUT"].map((plan) => ({ control: of(plan), amounts: BY_GUESTS })),
      { control: of("GIFT"), amounts: free },
      { control: `${SGL} RatePlanCode="SOLO"`, amounts: BY_GUESTS },
    ),
  );
  await postMessage(service, availMessage({ control: of("SHUT"), content: status("Close") }));
  await makeCategory(service, { hotelCode: "ALP", code: "APT", name: "Apartment", sortOrder: "2" });
  const rows = async (only: string) => {
    const { body } = await service.inject(`/rates?property=ALP&days=7&only=${only}`);
    return [...body.matchAll(/<th scope="row"><span class="visually-hidden">\w+ <\/span><b>([^<]+)/g)].map((row) => row[1]);
  };
  assert.deepEqual(await rows(""), ["FLEX", "GIFT", "NRF", "SHUT", "SOLO", "no rate plan"]);
  assert.deepEqual(await rows("gaps"), ["no rate plan"]);
  assert.deepEqual(await rows("zero"), ["GIFT", "SOLO"]);
  assert.deepEqual(await rows("closed"), ["SHUT"]);
  const { categories } = (await service.inject("/rates?property=ALP&days=7&only=closed&format=json")).json<Grid>();
  assert.deepEqual(
    categories.map(({ code }) => code),
    ["DBL"],
  );
  const data = async (only: string) => {
    const { body } = await service.inject(`/rates?property=ALP&days=7&only=${only}&format=csv`);
    const [head = "", ...lines] = body.trimEnd().split("\r\n");
    const plan = head.split(",").indexOf("plan");
    return [...new Set(lines.map((line) => line.split(",")[plan]))];
  };
  assert.deepEqual([await data("zero"), await data("closed")], [["GIFT", "SOLO"], ["SHUT"]], "CSV has the same rows");
});

test("filters for rows with recent changes", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const rate = (plan: string, amount: string) =>
    rateMessage({ control: `${DBL} RatePlanCode="${plan}"`, amounts: [`NumberOfGuests="2" AmountAfterTax="${amount}"`] });
  await postMessage(service, rate("BAR", "100"));
  await postMessage(service, rate("NRF", "90"));
  service.clock.set(START + 3 * 86_400_000);
  await postMessage(service, rate("BAR", "110"));
  await postMessage(service, rate("NRF", "90"));
  const plans = async (only: string) => {
    const grid = (await service.inject(`/rates?property=ALP&category=DBL&format=json&only=${only}`)).json<{
      categories: { plans: { code: string }[] }[];
    }>();
    return grid.categories.flatMap((category) => category.plans.map(({ code }) => code));
  };
  assert.deepEqual([await plans("changed1"), await plans("changed7")], [["BAR"], ["BAR", "NRF"]]);
  service.clock.set(START + 6 * 86_400_000);
  await postMessage(service, rate("NRF", "90").replace("<OTA_HotelRateAmountNotifRQ", '$& NotifType="Remove"'));
  assert.deepEqual(await plans("changed1"), ["NRF"], "also if all its nights were removed");
});

test("marks a price that covers several nights and explains the mark in the legend", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const week = rateMessage({ control: BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="600"'] });
  await postMessage(service, week.replace("<Rate ", '<Rate RateTimeUnit="Day" UnitMultiplier="7" '));
  const { body } = await service.inject("/rates?property=ALP&days=7");
  assert.match(body, /<b>600<\/b\s*> <i>7 N<\/i>/);
  assert.match(body, /<dt><i>7 N<\/i><\/dt>\s*<dd>price of a 7-night stay/);
});

test("starts each category with its free rooms, and ends with the property's totals", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const night = (date: string) => `Start="${date}" End="${date}" InvTypeCode="DBL"`;
  await postMessage(service, countMessage({ control: night(TODAY), counts: [[2, 3]] }, { control: night("2026-11-21"), counts: [[2, 0]] }));
  await postMessage(service, countMessage({ control: night(TODAY).replace("DBL", "SGL"), counts: [[2, 4]] }));
  await postMessage(service, rateMessage({ control: BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="120"'] }));
  await postMessage(service, rateMessage({ control: BAR.replace("BAR", "NRF"), amounts: ['NumberOfGuests="2" AmountAfterTax="99"'] }));
  const page = await service.inject("/rates?property=ALP&days=7");
  const text = textOf(page);
  assert.match(text, /DBL free rooms Double room 3 0 - no data/);
  assert.match(text, /Free rooms 7 0 - no data .* Sold-out categories 0 1 0 .* Lowest price EUR 99 - no data/);
  assert.doesNotMatch(textOf(await service.inject("/rates?property=ALP&days=7&only=gaps")), /Lowest price/);
});

test("rounds prices and shows a single symbol in the narrow columns of a 31-night grid", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: ['NumberOfGuests="2" AmountAfterTax="1234.50"'] }));
  await postMessage(service, availMessage({ control: BAR, content: stay("SetMinLOS", 2) }));
  const { body } = await service.inject("/rates?property=ALP&days=31");
  assert.match(body, /<b>1,<wbr \/>235<\/b> <i role="img" aria-label="No count, 2n">!<\/i>/);
  assert.match(textOf({ body } as Awaited<ReturnType<TestApp["inject"]>>), /! no count or no price/);
  const twoWeeks = await service.inject("/rates?property=ALP&days=14");
  assert.match(twoWeeks.body, /<b>1,<wbr \/>234<wbr \/>\.50<\/b> <i>No count<\/i> <i>2n<\/i>/);
});

test("multiplies a per-person amount by the standard occupancy", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: ['Type="21" AmountAfterTax="60"'] }));
  const { price } = await nightOf(service, "property=ALP", "BAR");
  assert.deepEqual(price, { amount: "120.00", currency: "EUR", tax: "after", guests: 2, perPerson: true, nights: 1 });
});

test("shows a rate plan's supplements, offers and terms, and multiplies per-person amounts by the number of guests", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postExample(service, "plan-in-full");
  const night = await nightOf(service, "property=ALP", "BAR");
  assert.equal(night.price?.perPerson, true);
  const ofTwo = night.amounts.find(({ guests }) => guests === 2)!;
  assert.equal(Number(night.price?.amount), 2 * Number(ofTwo.amount));
  assert.match(textOf(await service.inject("/rates?property=ALP")), /1 supplement, 1 offer/);
  const text = textOf(await service.inject("/rates?property=ALP&plan=BAR"));
  assert.match(text, /Rate plan BAR .* Prices per person Meals half board \(12\) Taxes included in the amounts/);
  assert.match(text, /<Supplement .*<Offer/);
});

test("shows who sent a rate plan without terms, when it was sent, and that it was removed", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  service.clock.set(START + 5 * 60_000);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const panel = async () => textOf(await service.inject("/rates?property=ALP&plan=BAR"));
  const times = [START, START + 5 * 60_000].map(localMoment);
  assert.ok(
    (await panel()).includes(`Rate plan BAR Taxes included in the amounts First message ${times[0]} from pms Last message ${times[1]}`),
    await panel(),
  );
  assert.doesNotMatch(await panel(), /removed by/);
  await postMessage(
    service,
    `<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><RatePlans HotelCode="ALP"><RatePlan RatePlanNotifType="Remove" RatePlanCode="BAR"/></RatePlans></OTA_HotelRatePlanNotifRQ>`,
  );
  assert.match(await panel(), /Status removed by its sender/);
});

test("shows amounts for additional guests in the night panel", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postExample(service, "extra-guests");
  const text = textOf(await service.inject(`/rates?property=ALP&category=DBL&plan=BAR&night=${TODAY}`));
  assert.match(text, /Additional guests 30\.00 EUR per adult, \w+ tax; 10\.00 EUR per child up to 12 years/);
});

async function postExample(service: TestApp, name: string): Promise<void> {
  const example = messages.flatMap(({ examples }) => examples).find((one) => one.name === name)!;
  const day = (days: number) => formatNight(parseNight(TODAY)! + days);
  const codes = { hotel: "ALP", category: "DBL", plan: "BAR", currency: "EUR", day };
  const { headers, body } = exampleRequest(example, codes);
  const answer = await service.inject({ method: "POST", url: "/channel", headers, payload: Buffer.from(body) });
  assert.match(answer.body, /<Success/, answer.body);
}

async function nightOf(service: TestApp, query: string, plan: string): Promise<Night> {
  const { categories } = (await service.inject(`/rates?${query}&format=json`)).json<Grid>();
  const night = categories[0]!.plans.find(({ code }) => code === plan)?.nights[0];
  assert.ok(night, `no night of ${plan}`);
  return night;
}

/** Returns a night's cell in a rate plan's first row. */
function cellOf(body: string, plan: string, night: string): string {
  const cells = [...body.matchAll(/<td[\s\S]*?<\/td>/g)].map(([text]) => text.replaceAll(/\s+/g, " ").replaceAll(" >", ">"));
  const cell = cells.find((text) => text.includes(`/${plan}/${night}"`));
  assert.ok(cell, `no cell of ${plan} on ${night}`);
  return cell;
}

test("reads a past time in the server's time zone and also shows it in the property's", async () => {
  await using service = await startApp();
  await makeHotel(service, { timeZone: "Asia/Tokyo" });
  const page = textOf(await service.inject("/rates?property=ALP&asOf=2026-11-19T20:00:00Z"));
  assert.ok(page.includes(`View as of (${serverZone})`));
  assert.match(page, /As of [-0-9]+ [:0-9]+ \(2026-11-20 05:00:00 at the property\)\./);
});
