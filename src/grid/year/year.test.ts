import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, rateMessage, textOf, summarise } from "../../../test/support/hotel.ts";

const ROOMS = 'Start="2026-12-01" End="2026-12-31" InvTypeCode="DBL"';

test("shades each night of twelve months by its value and links it to the grid", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: ROOMS, counts: [[2, 5]] }));
  const prices = [ROOMS, 'Start="2026-12-24" End="2026-12-24" InvTypeCode="DBL"'].map((control, index) => ({
    control: `${control} RatePlanCode="BAR"`,
    amounts: [`NumberOfGuests="2" AmountAfterTax="${index === 0 ? 80 : 180}.50"`],
  }));
  for (const price of prices) await postMessage(service, rateMessage(price));
  await summarise(service);
  const url = "/rates?property=ALP&view=year";
  const { body } = await service.inject(url);
  assert.match(body, /<td class="shade-0"><a href="\?at=ALP\/2026-12-23">80<\/a><\/td>/);
  assert.match(body, /<td class="shade-4"><a href="\?at=ALP\/2026-12-24">180<\/a><\/td>/);
  assert.match(body, /<th scope="row">Nov 2026<\/th>[^]*<th scope="row">Oct 2027<\/th>/);
  assert.match(textOf(await service.inject("/rates?at=ALP/2026-12-24")), /Rates for Alpenblick, 2026-12-24 to /);
  const { nights } = (await service.inject(`${url}&format=json`)).json<{ nights: { night: string; price?: string }[] }>();
  assert.equal(nights.length, 365);
  assert.equal(nights.find(({ night }) => night === "2026-12-24")!.price, "180.50");
  const rooms = (await service.inject("/inventories?property=ALP&view=year&from=2027-06-15")).body;
  assert.match(rooms, /<th scope="row">Jun 2027<\/th>/);
  assert.match(rooms, /<a href="\/inventories\?property=ALP&amp;view=year&amp;show=rooms&amp;from=2026-06-01" rel="prev">/);
});
