import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, textOf, TODAY } from "../../../test/support/hotel.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;

test("A grid of nights of which nothing was received says where to look and what to do", async () => {
  await using service = await startApp();
  await makeHotel(service);
  for (const grid of ["inventories", "rates"]) {
    const hint = () =>
      service.inject(`/${grid}?property=ALP&days=7`).then((page) => textOf(page).includes("Nothing was received for these nights"));
    assert.equal(await hint(), true, grid);
  }
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  assert.doesNotMatch(textOf(await service.inject("/inventories?property=ALP")), /Nothing was received/);
  assert.doesNotMatch(textOf(await service.inject("/inventories?property=ALP&category=SGL&only=gaps")), /Nothing was received/);
  const past = textOf(await service.inject("/inventories?property=ALP&from=2020-01-01"));
  assert.match(past, /for these nights, or they are past for longer than nights are kept\. See the messages of this property\./);
  const beyond = async (from: string) => textOf(await service.inject(`/inventories?property=ALP&from=${from}`));
  assert.match(
    await beyond("2028-12-10"),
    /for these nights, and what messages say of them is not kept: this property sells 750 days ahead\. See the messages of this property\./,
  );
  assert.doesNotMatch(await beyond("2028-12-09"), /ahead/, "the first of these can still be told");
});
