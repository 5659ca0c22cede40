import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { availMessage, countMessage, makeCategory, makeHotel, postMessage, rateMessage } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const CONTROL = 'Start="2026-11-20" End="2026-12-20" InvTypeCode="DBL" RatePlanCode="BAR"';
const ONE_NIGHT = CONTROL.replace('End="2026-12-20"', 'End="2026-11-20"');

/** Script that returns the parts of prices that wrap onto a second line. */
const WRAPPED_PRICE_PARTS = `(() => {
  const texts = [...document.querySelectorAll("td b")].flatMap((price) => [...price.childNodes].filter(({ data }) => data));
  const lines = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getClientRects().length;
  };
  return texts.filter((text) => lines(text) > 1).map(({ data }) => data);
})()`;
const LONG_NAME = "Double room with a view of the lake, a balcony, a kitchen apart and a fireplace";

describe("a grid", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  const measure = (program: string) => page.evaluate<string[]>(program);

  test("a grid has columns of equal width and no overflowing cells", async () => {
    for (const days of [7, 14, 28]) {
      await page.goto(`${origin}/rates?property=ALP&days=${days}`);
      const widths = await measure(
        "[...new Set([...document.querySelectorAll('.grid .days th')].map((th) => th.getBoundingClientRect().width.toFixed(0)))]",
      );
      assert.ok(widths.length <= 2, `${days} days: ${widths.join(", ")}`);
      const out = await measure(
        "[...document.querySelectorAll('.grid td > a')].filter((a) => a.scrollWidth > a.clientWidth + 1).map((a) => a.textContent)",
      );
      assert.deepEqual(out, [], `${days} days`);
    }
  });

  test("wraps long prices only at thousands separators", async () => {
    for (const width of [390, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const view of ["grid", "calendar"]) {
        await page.goto(`${origin}/rates?property=ALP&view=${view}`);
        assert.equal(await page.locator("td b").first().textContent(), "1,234,567.89");
        assert.deepEqual(await measure(WRAPPED_PRICE_PARTS), [], `${view}, ${width} wide`);
      }
    }
  });

  test("truncates a long category name and shows it in full in a tooltip", async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${origin}/inventories?property=ALP&category=LNG`);
      const { height } = (await page.locator(".grid tbody tr").boundingBox())!;
      assert.ok(height <= 72, `${width} wide: ${height} high`);
      assert.equal(await page.getByTitle(LONG_NAME).count(), 1);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("shows two weeks without scrolling on a small desktop screen", async () => {
    await page.goto(`${origin}/rates?property=ALP`);
    assert.ok(
      await page.evaluate<boolean>(
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.grid-scroll'))",
      ),
    );
  });

  test("opens a night full screen on a phone and moves focus to it", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${origin}/rates?property=ALP`);
    await page.locator(".grid td a").first().click();
    await page.locator("#night").waitFor();
    const [focused, top] = await page.evaluate<[string, number]>(
      "[document.activeElement.id, document.activeElement.getBoundingClientRect().top]",
    );
    assert.equal(focused, "night");
    assert.ok(top >= 0 && top < 300, `${top}`);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("scrolls the selected night into view", async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${origin}/rates?property=ALP&nightCategory=DBL&nightPlan=BAR&night=2026-12-17&days=28`);
      const box = await page.locator(".grid [aria-current]").boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${width}: ${box?.x}`);
    }
  });

  test("a grid is visible without scrolling on a phone, with its filters collapsed", async () => {
    const context = await openContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
    const phone = await context.newPage();
    for (const grid of ["inventories", "rates"]) {
      await phone.goto(`${origin}/${grid}?property=ALP`);
      const night = await phone.locator(".grid td").first().boundingBox();
      assert.ok(night && night.y < 844 / 2, `${grid}: ${night?.y}`);
      assert.equal(await phone.getByLabel("From").isVisible(), false, grid);
      await phone.getByText("All categories", { exact: false }).first().click();
      assert.equal(await phone.getByLabel("From").isVisible(), true, grid);
      await phone.goto(`${origin}/${grid}?property=ALP&from=never`);
      assert.equal(await phone.getByLabel("From").isVisible(), true, `${grid}: the invalid field is visible`);
      await phone.evaluate("(document.documentElement.style.fontSize = '200%', undefined)");
      assert.equal(await phone.evaluate("document.documentElement.scrollWidth"), 390, `${grid}: text at 200 %`);
    }
    await context.close();
    await page.goto(`${origin}/rates?property=ALP`);
    assert.equal(await page.getByLabel("From").isVisible(), true, "a wide screen shows the filters");
  });

  test("restores the filters after the user goes back", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${origin}/inventories?property=ALP`);
    const from = await page.getByLabel("From").inputValue();
    await page.getByLabel("From").fill("2027-02-01");
    await page.getByLabel("Show", { exact: true }).selectOption("gaps");
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Show" }).click()]);
    assert.equal(await page.getByLabel("From").inputValue(), "2027-02-01");
    await page.goBack();
    assert.deepEqual([await page.getByLabel("From").inputValue(), await page.getByLabel("Show", { exact: true }).inputValue()], [from, ""]);
  });

  test("accepts a new time if the current one includes fractions of a second", async () => {
    await page.goto(`${origin}/rates?property=ALP&asOf=2026-11-19T09:00:00.123Z`);
    await page.getByLabel("View as of").fill("2026-11-19T08:30");
    await Promise.all([page.waitForURL(/T08%3A30/), page.getByRole("button", { name: "Show" }).click()]);
  });

  test("a grid is printed in full", async () => {
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 1000, height: 300 });
    await page.goto(`${origin}/rates?property=ALP&days=28`);
    const cut = "(({ right, bottom }) => [right, bottom])(document.querySelector('.grid').getBoundingClientRect())";
    const [right] = (await page.evaluate(cut)) as [number, number];
    assert.ok(right <= 1000, `${right}`);
    assert.deepEqual(await measure(WRAPPED_PRICE_PARTS), [], "prices");
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.grid-scroll')).overflow"), "visible");
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.grid-scroll')).maxHeight"), "none");
    assert.equal(await page.locator(".grid-form:visible, summary:visible, .grid-nav:visible, button:visible").count(), 0);
    assert.equal(await page.locator(".legend").isVisible(), true);
    await page.emulateMedia({ media: "screen" });
  });
});

async function fill(service: TestApp): Promise<void> {
  await makeHotel(service);
  await makeCategory(service, { hotelCode: "ALP", code: "LNG", name: LONG_NAME });
  await postMessage(service, rateMessage({ control: CONTROL, amounts: ['NumberOfGuests="2" AmountAfterTax="1234567.89"'] }));
  await postMessage(service, rateMessage({ control: CONTROL.replace("BAR", "NET"), amounts: ['NumberOfGuests="2" AmountAfterTax="129"'] }));
  await postMessage(service, countMessage({ control: CONTROL.replace(' RatePlanCode="BAR"', ""), counts: [[2, 3]] }));
  const pattern =
    '<LengthsOfStay><LengthOfStay MinMaxMessageType="FullPatternLOS"><LOS_Pattern FullPatternLOS="YNYNYNYNYNYNYN"/></LengthOfStay></LengthsOfStay>';
  await postMessage(service, availMessage({ control: ONE_NIGHT, content: pattern }));
}
