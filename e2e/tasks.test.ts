import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import { availMessage, countMessage, makeHotel, makeProperty, makeCategory, postMessage, rateMessage } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const MONTH = 'Start="2026-11-20" End="2026-12-31" InvTypeCode="DBL"';

/** Each task starts on the overview, and each step is one click, or one search with Enter. */
describe("a daily task", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  test("“which properties are closed next weekend?” takes two steps", async () => {
    await page.goto(origin);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Grid" }).click();
    await page.getByRole("link", { name: "Closed next weekend" }).click();
    const rows = page.locator(".portfolio tbody tr");
    assert.deepEqual(await rows.locator("th a").allInnerTexts(), ["Seaside"]);
    assert.deepEqual(await rows.locator("td").allInnerTexts(), ["Closed", "Closed"]);
    await rows.locator("td a").first().click();
    await page.waitForURL(/at=SEA\/2026-11-20$/);
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
}
