import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeCategory, makeHotel, postMessage, textOf } from "../../../test/support/hotel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const NIGHTS = 'Start="2026-11-21" End="2026-11-22" InvTypeCode="BIG"';

const AMOUNTS = `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="ALP"><RateAmountMessage>
  <StatusApplicationControl ${NIGHTS} RatePlanCode="BAR"/>
  <Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="1250000" CurrencyCode="JPY" NumberOfGuests="2"/></BaseByGuestAmts></Rate></Rates>
</RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;

test("separates thousands with commas on pages, but not in CSV", async () => {
  await using service = await startApp();
  await makeHotel(service, { currency: "JPY" });
  await makeCategory(service, { hotelCode: "ALP", code: "BIG", name: "Dormitory", rooms: "1250" });
  await postMessage(service, countMessage({ control: NIGHTS, counts: [[2, 1234]] }));
  await postMessage(service, AMOUNTS);
  const page = async (url: string) => textOf(await service.inject(url));
  assert.match(await page("/inventories?property=ALP&category=BIG"), /BIG 1,250 rooms .* 1,234 /);
  assert.match(await page("/inventories?property=ALP&category=BIG&night=2026-11-21"), /Available 1,234 message 1 from pms, 2026/);
  assert.match(await page("/rates?property=ALP&category=BIG"), /BAR JPY .* 1,250,000 /);
  assert.match(await page("/rates?property=ALP&category=BIG&plan=BAR&night=2026-11-21"), /Amount after tax, 2 adults 1,250,000 JPY/);
  assert.match(await page("/property/ALP"), /Dormitory BIG 1,250 Next 14 nights 1,234/);
  assert.match(await page("/dev/logs"), /2 guests 1,250,000 JPY .* available 1,234/);
  assert.match((await service.inject("/rates?property=ALP&category=BIG&format=csv")).body, /,2026-11-21,true,sellable,1250000,JPY,/);
  assert.match((await service.inject("/inventories?property=ALP&category=BIG&format=csv")).body, /,2026-11-21,1250,1234,/);
});

test("separates thousands only before the decimal point", async () => {
  await using service = await startApp();
  await makeHotel(service, { currency: "KWD" });
  await makeCategory(service, { hotelCode: "ALP", code: "BIG", name: "Dormitory", rooms: "1250" });
  await postMessage(service, AMOUNTS.replace("1250000", "12345.625").replace("JPY", "KWD"));
  assert.match(textOf(await service.inject("/rates?property=ALP&category=BIG")), /12,345\.625 /);
});
