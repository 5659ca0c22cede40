import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { availMessage, countMessage, makeHotel, postMessage, postXml, TODAY } from "../../../test/support/hotel.ts";

const NIGHT = `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`;

/** The first cell of the first row that contains `text`. */
async function cellOf(service: TestApp, text: string): Promise<string> {
  const { body } = await service.inject("/inventories?property=ALP&days=7");
  const row = body.split("<tr").find((html) => html.includes(text)) ?? "";
  return /<td[^]*?<\/td>/.exec(row)![0].replaceAll(/\s+/g, " ");
}

test("shows a night's other counts if it has no available count", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: NIGHT, counts: [[6, 2]] }));
  assert.match(await cellOf(service, "<b>DBL</b>"), /no data<\/span> <i>OOO 2<\/i>/);
  assert.doesNotMatch(await cellOf(service, "<b>SGL</b>"), /<small>/);
});

test("marks an empty allotment as sold out", async () => {
  await using service = await startApp();
  await makeHotel(service);
  for (const [plan, count] of [
    ["NONE", 0],
    ["ONE", 1],
  ] as const)
    await postMessage(service, countMessage({ control: `${NIGHT} RatePlanCode="${plan}"`, counts: [[2, count]] }));
  assert.match(await cellOf(service, "Allotment NONE"), /^<td class="zero/);
  assert.match(await cellOf(service, "Allotment ONE"), /^<td class="open/);
});

test("shows other counts as badges", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const threshold = `<OTA_HotelAvailNotifRQ><AvailStatusMessages HotelCode="ALP"><AvailStatusMessage BookingLimit="3" BookingThreshold="2"><StatusApplicationControl ${NIGHT}/></AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
  assert.match((await postXml(service, threshold)).body, /<Success\/>/);
  await postMessage(service, countMessage({ control: NIGHT, counts: [[9, 4]] }));
  assert.match(await cellOf(service, "<b>DBL</b>"), /<b>3<\/b>.* <i>OFF 4<\/i> <i>REQ 2<\/i><u> changed<\/u><\/a><\/td>$/);
  const derived = [
    [1, 8],
    [4, 3],
  ] as const;
  await postMessage(service, countMessage({ control: NIGHT.replace("DBL", "SGL"), counts: derived }));
  assert.match(await cellOf(service, "<b>SGL</b>"), /<b>5<\/b> <i>CALC<\/i>/);
});

test("shows a single symbol for a closed allotment in the narrow columns of a 31-night grid", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const plan = `${NIGHT} RatePlanCode="BAR"`;
  await postMessage(service, countMessage({ control: NIGHT, counts: [[2, 9]] }, { control: plan, counts: [[2, 3]] }));
  await postMessage(service, availMessage({ control: plan, content: '<RestrictionStatus Status="Close"/>' }));
  const { body } = await service.inject("/inventories?property=ALP&category=DBL&days=31");
  const allotments = body.match(/<b>3<\/b> <i role="img" aria-label="Closed">×<\/i>/g);
  assert.equal(allotments?.length, 1);
});
