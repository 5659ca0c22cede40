import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { makeHotel, makeProperty } from "../test/support/hotel.ts";

describe("row selection in a list", () => {
  let service: TestApp;
  let origin: string;

  before(async () => {
    service = await startApp();
    await makeHotel(service);
    await makeProperty(service, { code: "BER", name: "Berghof" });
    await makeProperty(service, { code: "CAS", name: "Casa" });
    origin = await service.listen();
  });
  after(() => service.close());

  for (const javaScriptEnabled of [true, false]) {
    test(`selects individual rows or all rows ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const context = await openContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      await page.goto(`${origin}/property`);
      const csv = page.getByRole("button", { name: "CSV of the selected rows" });
      assert.equal(await csv.isVisible(), false, "no row is selected yet");
      await page.getByLabel("Berghof", { exact: true }).press("Space");
      await page.getByLabel("Casa", { exact: true }).check();
      assert.deepEqual(await codesIn(page, () => csv.press("Enter")), ["BER", "CAS"]);
      await page.getByRole("link", { name: "All of this page" }).click();
      assert.deepEqual(await codesIn(page, () => csv.click()), ["ALP", "BER", "CAS"]);
      await page.getByRole("link", { name: "None of this page" }).click();
      assert.equal(await csv.isVisible(), false);
      await context.close();
    });
  }

  test("works with the keyboard, and asks the user to select rows if none are selected", async () => {
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${origin}/category`);
    for (const key of "jxjxkx") await page.keyboard.press(key);
    const chosen = await page.evaluate("[...document.querySelectorAll('.pick :checked')].map(({ value }) => value)");
    assert.deepEqual(chosen, ["ALP/SGL"]);
    for (const key of "jx") await page.keyboard.press(key);
    await page.locator(".pick input").first().press("Enter");
    assert.match((await page.locator(".summary").textContent()) ?? "", /Select at least one row/);
    await page.locator(".summary a").press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "f-chosen");
    await context.close();
  });
});

async function codesIn(page: Page, take: () => Promise<void>): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent("download"), take()]);
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  return lines.slice(1).map((line) => line.split(",", 1)[0]!);
}
