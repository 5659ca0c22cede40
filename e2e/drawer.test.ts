import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { availMessage, countMessage, makeHotel, postMessage, rateMessage } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const CONTROL = 'Start="2026-11-20" End="2026-11-24" InvTypeCode="DBL"';
const ONE = CONTROL.replace("11-24", "11-21").replace("11-20", "11-21");

describe("the night drawer", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  const drawer = () => page.locator("dialog.drawer[open]");
  const title = () => drawer().getByRole("heading", { level: 2 });
  const openFirst = async () => {
    await page.goto(`${origin}/rates?property=ALP`);
    await page.evaluate("(window.isSamePage = true, undefined)");
    await page.locator('.grid td a[href$="/BAR/2026-11-20"]').click();
    await title().waitFor();
  };
  const assertSamePage = async () => assert.equal(await page.evaluate("window.isSamePage"), true, "the page did not load again");

  test("the night drawer opens beside the grid and first says whether the night can be sold", async () => {
    await openFirst();
    assert.match(await title().innerText(), /Fri 20 November 2026: DBL, rate plan BAR/);
    assert.match(await drawer().innerText(), /For sale\. Limits: minimum stay \(arrival\) 2 nights\./);
    assert.match(page.url(), /at=ALP\/DBL\/BAR\/2026-11-20$/);
    assert.equal(await page.locator("main #night").count(), 0);
    await assertSamePage();
    const [right, left] = await Promise.all([page.locator(".grid-scroll"), drawer()].map(async (part) => part.boundingBox()));
    assert.ok(right!.x + right!.width <= left!.x, "it doesn't cover the grid");
  });

  test("the night drawer follows the selection as arrow keys move it, and keeps the selected night in the URL", async () => {
    await openFirst();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/2026-11-21$/);
    assert.match(await drawer().innerText(), /Not for sale: stop sell on category DBL since .*, message 3 from pms/);
    await page.keyboard.press("ArrowUp");
    await page.waitForURL(/at=ALP\/DBL\/\/2026-11-21$/);
    assert.match(await title().innerText(), /Sat 21 November 2026: DBL, no rate plan/);
    assert.equal(await page.locator(".grid a[aria-current]").count(), 1);
    await drawer().getByRole("link", { name: "Sun 22 November" }).click();
    await page.waitForURL(/at=ALP\/DBL\/\/2026-11-22$/);
    await assertSamePage();
    await page.reload();
    assert.match(await title().innerText(), /Sun 22 November 2026: DBL, no rate plan/);
  });

  test("the night drawer returns focus to its night when closed", async () => {
    const focused = () => page.evaluate<string>("new URLSearchParams(document.activeElement.search).get('at')");
    await openFirst();
    await page.keyboard.press("Escape");
    assert.equal(await drawer().count(), 0);
    assert.equal(await focused(), "ALP/DBL/BAR/2026-11-20");
    assert.doesNotMatch(page.url(), /at=/);
    await page.keyboard.press("Enter");
    await drawer().getByRole("link", { name: "Close", exact: true }).click();
    assert.equal(await focused(), "ALP/DBL/BAR/2026-11-20");
    assert.equal(await page.locator(".grid a[aria-current]").count(), 0);
    await assertSamePage();
  });

  test("the night drawer shows only the last night after several quick moves", async () => {
    await openFirst();
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
    await page.waitForURL(/2026-11-23$/);
    assert.match(await title().innerText(), /Mon 23 November 2026/);
    await assertSamePage();
  });

  test("a night's page opens instead of the drawer if the panel cannot be loaded", async () => {
    await page.route(/part=night/, (route) => route.abort());
    await page.goto(`${origin}/rates?property=ALP`);
    await Promise.all([page.waitForEvent("load"), page.locator('.grid td a[href$="/BAR/2026-11-21"]').click()]);
    assert.match(await title().innerText(), /Sat 21 November 2026/);
    await page.unroute(/part=night/);
  });

  test("the night drawer becomes a panel on the page if scripts are disabled", async () => {
    const context = await openContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${origin}/rates?property=ALP`);
    await plain.locator('.grid td a[href$="/BAR/2026-11-21"]').click();
    assert.match(await plain.locator("main #night").innerText(), /Not for sale: stop sell on category DBL/);
    await context.close();
  });
});

async function fill(service: TestApp): Promise<void> {
  await makeHotel(service);
  await postMessage(
    service,
    rateMessage({ control: `${CONTROL} RatePlanCode="BAR"`, amounts: ['NumberOfGuests="2" AmountAfterTax="120"'] }),
  );
  await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 3]] }));
  const stay = '<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMinLOS" Time="2"/></LengthsOfStay>';
  await postMessage(
    service,
    availMessage(
      { control: `${CONTROL} RatePlanCode="BAR"`, content: stay },
      { control: ONE, content: '<RestrictionStatus Status="Close"/>' },
    ),
  );
}
