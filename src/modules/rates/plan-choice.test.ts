import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { makeHotel, postMessage, rateMessage, textOf, TODAY } from "../../../test/support/hotel.ts";

const BAR = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL" RatePlanCode="BAR"`;
const BY_GUESTS = ['NumberOfGuests="1" AmountAfterTax="90.00"', 'NumberOfGuests="2" AmountAfterTax="120.00"'];

test("A rate plan that is asked for stays chosen, also when no message has named it", async () => {
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

test("A rate plan that no message has named has no rows, and the page says so and leads to the others", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const page = await service.inject("/rates?property=ALP&plan=NONE&days=7");
  assert.equal(page.statusCode, 200);
  assert.match(textOf(page), /No message has named a rate plan NONE of this property. Show all rate plans/);
  assert.doesNotMatch(page.body, /nothing received<|class="grid /);
  const [, all = ""] = /href="([^"]+)">Show all rate plans/.exec(page.body) ?? [];
  assert.equal(all, "/rates?property=ALP&amp;days=7");
  const { categories } = (await service.inject("/rates?property=ALP&plan=NONE&format=json")).json<{ categories: object[] }>();
  assert.deepEqual(categories, []);
  const csv = await service.inject("/rates?property=ALP&plan=NONE&format=csv");
  assert.equal(csv.body.trimEnd().split("\r\n").length, 1, "heads alone");
});

test("A rate plan without anything on the nights that are shown has its rows", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, rateMessage({ control: BAR, amounts: BY_GUESTS }));
  const text = textOf(await service.inject("/rates?property=ALP&plan=BAR&from=2030-01-01"));
  assert.match(text, /Nothing was received for these nights.* DBL BAR EUR - nothing received/);
  assert.match(textOf(await service.inject("/rates?property=ALP&plan=BAR&category=SGL")), /SGL BAR EUR - nothing received/);
});
