import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, rateMessage, TODAY } from "../../../test/support/hotel.ts";

test("shows which messages set the counts and closed the hotel", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] }));
  await postMessage(service, countMessage({ control: `Start="${TODAY}" End="2026-11-21" AllInvCode="true"` }));
  const url = "/inventories?property=ALP&category=DBL&days=7";
  const { categories } = (await service.inject(`${url}&format=json`)).json();
  const found = categories[0].nights.map(({ closed, message, closedMessage }: Record<string, unknown>) => [closed, message, closedMessage]);
  assert.deepEqual(found.slice(0, 3), [
    [true, 1, 2],
    [true, undefined, 2],
    [false, undefined, undefined],
  ]);
  const [heads, first, second] = (await service.inject(`${url}&format=csv`)).body.split("\r\n");
  assert.match(heads!, /,message,closedMessage,stopSell,stopSellMessage,sellable,sale,saleMessage$/);
  assert.match(first!, /,true,,1,2,,,false,hotel closed,2$/);
  assert.match(second!, /,true,,,2,,,false,hotel closed,2$/);
});

test("treats rows that recently lost all their data as recently changed", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const room = countMessage({ control: `Start="2026-11-24" InvTypeCode="DBL" InvCode="101"`, counts: [[2, 1]] });
  const allotment = countMessage({ control: `Start="2026-11-24" InvTypeCode="DBL" RatePlanCode="BAR"`, counts: [[2, 1]] });
  for (const message of [room, allotment]) await postMessage(service, message);
  service.clock.set(START + 3 * 86_400_000);
  const reset = '$&<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';
  await postMessage(
    service,
    countMessage()
      .replace(/<OTA[^>]*>/, reset)
      .replace("</Inventories>", "<Inventory/>$&"),
  );
  const { body } = await service.inject("/inventories?property=ALP&days=7&only=changed1&format=csv");
  const rows = body
    .split("\r\n")
    .slice(1, -1)
    .map((line) => line.split(",").slice(1, 4).join("/"));
  assert.deepEqual([...new Set(rows)], ["DBL//", "DBL/101/", "DBL//BAR"]);
});

test("shows allotment rows only for plans with an allotment, even in views of the past", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const control = (plan: string) => `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL" RatePlanCode="${plan}"`;
  await postMessage(service, countMessage({ control: control("BAR"), counts: [[2, 1]] }));
  await postMessage(service, rateMessage({ control: control("HB"), amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
  service.clock.set(START + 60_000);
  for (const asOf of ["", "&asOf=2026-11-20T09:00:30Z"]) {
    const { categories } = (await service.inject(`/inventories?property=ALP&category=DBL&format=json${asOf}`)).json();
    assert.deepEqual(
      categories[0].allotments.map(({ plan }: { plan: string }) => plan),
      ["BAR"],
      asOf,
    );
  }
});
