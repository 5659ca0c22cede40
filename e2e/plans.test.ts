import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import { countMessage, makeHotel, postMessage, rateMessage } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const NIGHTS = 'Start="2026-11-20" End="2026-11-23" InvTypeCode="DBL"';
const price = (plan: string, amount: string) =>
  rateMessage({ control: `${NIGHTS} RatePlanCode="${plan}"`, amounts: [`NumberOfGuests="2" AmountAfterTax="${amount}"`] });

async function fill(service: TestApp): Promise<void> {
  await makeHotel(service);
  await postMessage(service, countMessage({ control: NIGHTS, counts: [[2, 5]] }));
  await postMessage(service, price("BAR", "120"));
  await postMessage(service, price("NRX", "80"));
}

describe("rate plans on the web pages", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  const click = (role: "link" | "button", name: string) =>
    Promise.all([page.waitForEvent("load"), page.locator("main").getByRole(role, { name, exact: true }).first().click()]);
  const main = async () => (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");

  test("rate plans can be retired and restored, and a merge can be previewed and undone", async () => {
    await page.goto(`${origin}/property/ALP`);
    await Promise.all([page.waitForEvent("load"), page.getByRole("link", { name: "Rate plans" }).click()]);
    assert.match(await main(), /BAR BAR .*4 .*Active NRX NRX .*4 .*Active/);

    await click("link", "NRX");
    await click("button", "Retire");
    assert.match(await main(), /Rate plan NRX was retired\. It is not for sale\..*Status Retired/);
    await click("link", "Rates");
    assert.match(await main(), /NRX EUR 80 Inactive/);
    await page.goto(`${origin}/tools/plans?property=ALP&plan=NRX`);
    await click("button", "Restore");

    await click("link", "Merge into another…");
    await page.getByLabel("Merge into").selectOption("BAR");
    await click("button", "Preview");
    assert.match(await main(), /Nights to move 0 .*Nights to remove 4/);
    await click("button", "Merge NRX into BAR");
    assert.match(await main(), /Rate plan NRX was merged into BAR: 0 nights moved, 4 nights removed\./);
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: /^Undo/ }).click()]);
    assert.match(await main(), /Rate plan NRX was restored\. .*NRX NRX .*4 .*Active/);
  });
});
