import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";
import { availMessage, countMessage, makeHotel, postMessage, rateMessage, textOf, TODAY } from "../../test/support/hotel.ts";

const CONTROL = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const BAR = `${CONTROL} RatePlanCode="BAR"`;
const only = (control: string, night: string) => control.replace(TODAY, night).replace("2026-11-26", night);
const price = (control: string, ...amounts: string[]) =>
  rateMessage({ control, amounts: amounts.map((amount, index) => `NumberOfGuests="${2 - index}" AmountAfterTax="${amount}"`) });
const CLOSED = '<RestrictionStatus Status="Close"/>';
const MIN_STAY = '<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMinLOS" Time="2"/></LengthsOfStay>';

async function openHotel() {
  const service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 5]] }));
  await postMessage(service, countMessage({ control: only(CONTROL, "2026-11-22"), counts: [[2, 3]] }));
  await postMessage(service, price(BAR, "120", "100"));
  await postMessage(service, price(only(BAR, "2026-11-22"), "150", "130"));
  await postMessage(service, price(BAR.replace("BAR", "NRF"), "90"));
  await postMessage(
    service,
    availMessage({ control: only(BAR, "2026-11-23"), content: CLOSED }, { control: only(BAR, "2026-11-21"), content: MIN_STAY }),
  );
  return service;
}

const SELECT = "select=2026-11-21/2026-11-23,DBL/BAR,DBL/NRF";

test("summarises the selected nights", async () => {
  await using service = await openHotel();
  const page = await service.inject(`/rates?property=ALP&${SELECT}`);
  assert.match(
    textOf(page),
    /3 nights × 2 rows 2026-11-21 to 2026-11-23 Lowest price 90.00 EUR Highest price 150.00 EUR Average price 110.00 EUR Free rooms per night 3 to 5 Problems 1 night stop sell/,
  );
  const part = await service.inject(`/rates?property=ALP&${SELECT}&part=selection`);
  assert.match(part.body, /^<section class="panel chosen-nights"/);
  const { selection } = (await service.inject(`/rates?property=ALP&${SELECT}&format=json`)).json();
  assert.deepEqual(
    [selection.prices[0].average, selection.rooms, selection.problems],
    ["110.00", { fewest: 3, most: 5 }, [{ state: "stop sell", nights: 1 }]],
  );
  const rooms = textOf(await service.inject("/inventories?property=ALP&select=2026-11-20/2026-11-22,DBL/,SGL/"));
  assert.match(rooms, /3 nights × 2 rows .* Free rooms per night 3 to 5 Problems 3 nights no count/);
});

test("exports the selected nights as CSV", async () => {
  await using service = await openHotel();
  const { body } = await service.inject(`/rates?property=ALP&select=2026-11-22/2026-11-23,DBL/BAR&format=csv`);
  const lines = body.trim().split("\r\n").slice(1);
  assert.deepEqual(
    lines.map((line) => line.split(",").slice(1, 4).join("/")),
    ["DBL/BAR/2026-11-22", "DBL/BAR/2026-11-23"],
  );
});

test("refuses an invalid selection", async () => {
  await using service = await openHotel();
  for (const select of [
    "never",
    "2026-11-22/2026-11-21,DBL/BAR",
    "2026-11-22/2026-11-23",
    "2026-11-22/2026-11-23,DBL",
    "2026-11-22/2026-11-23,%25",
  ]) {
    const refused = await service.inject(`/rates?property=ALP&format=json&select=${select}`);
    assert.equal(refused.statusCode, 422, select);
    assert.match(refused.json().errors.select, /Enter a selection such as 2027-03-01\/2027-03-07,DBL\/BAR, not/);
  }
});

test("exports the selected nights as a message that sets the same values", async () => {
  await using service = await openHotel();
  const visitor = service.visitor();
  const { body } = await visitor.get(`/rates?property=ALP&${SELECT}`);
  const link = /href="([^"]+)">Write as message/.exec(body)![1]!.replaceAll("&amp;", "&");
  const console = (await visitor.get(`${link}&format=json`)).json();
  const { values } = JSON.parse(console.message.xml);
  assert.deepEqual(values[0], {
    ...{ property_id: "ALP", room_type_id: "DBL", rate_plan_id: "BAR", date_from: "2026-11-21", date_to: "2026-11-21" },
    rates: [
      { occupancy: 1, rate: "100.00" },
      { occupancy: 2, rate: "120.00" },
    ],
    ...{ currency: "EUR", min_stay_arrival: 2 },
  });
  assert.equal(values.length, 4, "three nights of BAR, one run of NRF");
  const nights = async () =>
    (await service.inject(`/rates?property=ALP&from=2026-11-21&days=7&format=csv`)).body.replaceAll(/,\d+(?=,|\r)/g, ",");
  const send = async () => visitor.post("/dev/channel", { action: "send", run: "apply", transport: "json", xml: console.message.xml });
  const before = await nights();
  await postMessage(service, price(only(BAR, "2026-11-22"), "1", "1"));
  assert.notEqual(await nights(), before);
  assert.equal((await send()).statusCode, 200);
  assert.equal(await nights(), before);
});

test("lists the values that the message cannot set", async () => {
  await using service = await openHotel();
  const child = rateMessage({
    control: only(BAR, "2026-11-21"),
    amounts: ['AgeQualifyingCode="8" NumberOfGuests="1" AmountAfterTax="20"'],
  });
  await postMessage(service, child);
  const page = await service.inject(`/dev/channel?property=ALP&grid=rates&${SELECT}`);
  assert.match(
    textOf(page),
    /This message contains the current values for the selected nights\. These values are not in the message, .*: other amounts, such as/,
  );
  const empty = await service.inject("/dev/channel?property=ALP&grid=rates&select=2027-11-21/2027-11-22,DBL/BAR");
  assert.match(textOf(empty), /The selected nights have no values that can be sent in a message\./);
  assert.match(textOf(await service.inject("/dev/channel?property=ALP&select=x")), /“x” is not a selection/);
  assert.match(textOf(await service.inject(`/dev/channel?property=NO&${SELECT}`)), /is not a selection of an existing property/);
});
