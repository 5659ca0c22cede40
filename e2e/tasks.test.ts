import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import {
  availMessage,
  countMessage,
  makeHotel,
  makeProperty,
  makeCategory,
  postMessage,
  rateMessage,
  summarise,
} from "../test/support/hotel.ts";
import { addSender } from "../test/support/senders.ts";
import { basic } from "../test/support/sign-in.ts";
import { openSite } from "./site.ts";

const DAY_MS = 86_400_000;
const MONTH = 'Start="2026-11-20" End="2026-12-31" InvTypeCode="DBL"';

/** Each task starts on the overview, and each step is one click, or one search with Enter. */
describe("a daily task", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  test("“which properties are closed this weekend?” takes two steps", async () => {
    await page.goto(origin);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Grid" }).click();
    await page.getByRole("link", { name: "Closed this weekend" }).click();
    const rows = page.locator(".portfolio tbody tr");
    assert.deepEqual(await rows.locator("th a").allInnerTexts(), ["Seaside"]);
    assert.deepEqual(await rows.locator("td").allInnerTexts(), ["Closed", "Closed"]);
    await rows.locator("td a").first().click();
    await page.waitForURL(/at=SEA\/2026-11-20$/);
  });

  test("“what did channel-x change yesterday for Seaside?” takes three steps", async () => {
    await page.goto(origin);
    await page.locator("main").getByRole("link", { name: "channel-x" }).first().click();
    await page.getByRole("link", { name: "Yesterday’s messages" }).click();
    await page.locator("main tbody").getByRole("link", { name: "SEA" }).click();
    await page.waitForURL(/property=SEA/);
    const rows = page.locator("main tbody tr");
    assert.equal(await rows.count(), 1);
    assert.match(await rows.innerText(), /DBL 2026-11-22: available 3/);
  });
});

async function fill(service: TestApp): Promise<void> {
  await makeHotel(service);
  await makeProperty(service, { code: "SEA", name: "Seaside" });
  await makeCategory(service, { hotelCode: "SEA", code: "DBL", name: "Double room" });
  for (const hotel of ["ALP", "SEA"]) {
    const send = (message: string) => postMessage(service, message.replaceAll('HotelCode="ALP"', `HotelCode="${hotel}"`));
    await send(countMessage({ control: MONTH, counts: [[2, 5]] }));
    await send(rateMessage({ control: `${MONTH} RatePlanCode="BAR"`, amounts: ['NumberOfGuests="2" AmountAfterTax="90"'] }));
    if (hotel === "SEA") await send(availMessage({ control: MONTH, content: '<RestrictionStatus Status="Close"/>' }));
  }
  const secret = await addSender(service.database, { name: "channel-x" });
  const send = async (hotel: string, count: number) => {
    const xml = countMessage({ control: 'Start="2026-11-22" End="2026-11-22" InvTypeCode="DBL"', counts: [[2, count]] });
    const headers = { "content-type": "text/xml", ...basic(secret, "channel-x") };
    const payload = xml.replaceAll('HotelCode="ALP"', `HotelCode="${hotel}"`);
    assert.match((await service.inject({ method: "POST", url: "/channel", headers, payload })).body, /<Success\/>/);
  };
  const now = service.clock.now();
  service.clock.set(now - DAY_MS);
  for (const hotel of ["ALP", "SEA"]) await send(hotel, 3);
  service.clock.set(now);
  await send("SEA", 4);
  await summarise(service);
}
