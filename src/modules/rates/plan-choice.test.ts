import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { makeHotel, postMessage, rateMessage, textOf, TODAY } from "../../../test/support/hotel.ts";

const BAR = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL" RatePlanCode="BAR"`;
const BY_GUESTS = ['NumberOfGuests="1" AmountAfterTax="90.00"', 'NumberOfGuests="2" AmountAfterTax="120.00"'];

test("keeps the rate plan in the query selected, even if it is unknown", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const plans = async (query: string) => {
    const { body } = await service.inject(`/rates?property=ALP${query}`);
    const [select = ""] = /<select id="f-plan"[\s\S]*?<\/select>/.exec(body) ?? [];
    return [...select.matchAll(/<option value="([^"]*)"( selected)?/g)].map(([, code, selected]) => `${code}${selected ?? ""}`);
  };
  assert.deepEqual(await plans(""), [" selected", "BAR"]);
  assert.deepEqual(await plans("&plan=BAR"), ["", "BAR selected"]);
  assert.deepEqual(await plans("&plan=OLD"), ["", "BAR", "OLD selected"]);
});

test("shows no rows for an unknown rate plan and links to all plans", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const page = await service.inject("/rates?property=ALP&plan=NONE&days=7");
  assert.equal(page.statusCode, 200);
  assert.match(textOf(page), /This property has no rate plan NONE\. Show all rate plans/);
  assert.doesNotMatch(page.body, /no data<|class="grid /);
  const [, all = ""] = /href="([^"]+)">Show all rate plans/.exec(page.body) ?? [];
  assert.equal(all, "/rates?property=ALP&amp;days=7");
  const { categories } = (await service.inject("/rates?property=ALP&plan=NONE&format=json")).json<{ categories: object[] }>();
  assert.deepEqual(categories, []);
  const csv = await service.inject("/rates?property=ALP&plan=NONE&format=csv");
  assert.equal(csv.body.trimEnd().split("\r\n").length, 1, "only the header");
});

test("shows the rows of a known rate plan without data", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const text = textOf(await service.inject("/rates?property=ALP&plan=BAR&from=2030-01-01"));
  assert.match(text, /No data for these nights.* DBL BAR EUR - no data/);
  assert.match(textOf(await service.inject("/rates?property=ALP&plan=BAR&category=SGL")), /SGL BAR EUR - no data/);
});
