import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, textOf, TODAY } from "../../../test/support/hotel.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;

test("explains why a grid has no data and suggests what to do", async () => {
  await using service = await startApp();
  await makeHotel(service);
  for (const grid of ["inventories", "rates"]) {
    const hint = () => service.inject(`/${grid}?property=ALP&days=7`).then((page) => textOf(page).includes("No data for these nights"));
    assert.equal(await hint(), true, grid);
  }
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  assert.doesNotMatch(textOf(await service.inject("/inventories?property=ALP")), /No data for these nights/);
  assert.doesNotMatch(textOf(await service.inject("/inventories?property=ALP&category=SGL&only=gaps")), /No data for these nights/);
  const past = textOf(await service.inject("/inventories?property=ALP&from=2020-01-01"));
  assert.match(past, /No data for these nights: past nights are deleted after a while\. View this property's messages\./);
  const beyond = async (from: string) => textOf(await service.inject(`/inventories?property=ALP&from=${from}`));
  assert.match(
    await beyond("2028-12-10"),
    /No data for these nights: this property stores nights up to 750 days ahead\. View this property's messages\./,
  );
  assert.doesNotMatch(await beyond("2028-12-09"), /ahead/, "the first night is within the horizon");
});
