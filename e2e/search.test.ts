import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { openContext } from "../test/support/browser.ts";
import { makeHotel, makeProperty } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

describe("search while typing", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(async (service) => {
      await makeHotel(service);
      await makeProperty(service, { code: "ALM", name: "Almhof" });
    }));
  });

  const field = () => page.getByRole("combobox", { name: "Search properties" });
  const active = () =>
    page.evaluate<string>("document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent");

  test("the search selects results with the arrow keys and opens the selected one", async () => {
    await page.goto(`${origin}/tools`);
    await page.keyboard.press("/");
    await page.keyboard.type("alp");
    await page.getByRole("option", { name: "Alpenblick" }).waitFor();
    assert.equal(await field().getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    assert.equal(await active(), "Alpenblick ALP");
    assert.equal(await page.getByRole("option", { selected: true }).count(), 1);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/property/ALP`);
  });

  test("the search closes on Escape, and opens the search page on Enter if no result is selected", async () => {
    await page.goto(`${origin}/tools`);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("nothing at all");
    await page.getByText("No results").waitFor();
    await field().fill("almh");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    assert.deepEqual([await page.getByRole("option").count(), await field().inputValue()], [0, "almh"]);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/tools/search?q=almh`);
    assert.equal(await page.locator("main").getByRole("link", { name: "Almhof" }).count(), 1);
  });

  test("the search offers recently opened pages before the user types", async () => {
    await page.goto(`${origin}/property/ALM`);
    await page.goto(`${origin}/rates?property=ALP`);
    await page.keyboard.press("/");
    assert.equal(await page.getByRole("option").first().textContent(), "Almhof ");
  });

  test("keeps the tab and dates when the user switches to another property", async () => {
    await page.goto(`${origin}/rates?property=ALP&from=2026-12-24&days=28`);
    await page.getByRole("combobox", { name: "Switch property" }).fill("almhof");
    await page.getByRole("option", { name: "Almhof" }).click();
    await page.waitForURL(`${origin}/rates?property=ALM&from=2026-12-24&days=28`);
  });

  test("keyboard shortcuts open the tabs of the current property", async () => {
    for (const [key, url] of [
      ["i", "/inventories?property=ALM&from=2026-12-24&days=28"],
      ["m", "/dev/logs?property=ALM&nights=from%3D2026-12-24%26days%3D28"],
      ["r", "/rates?property=ALM&from=2026-12-24&days=28"],
      ["p", "/property"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.waitForURL(origin + url);
    }
  });

  test("works without scripts", async () => {
    const context = await openContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${origin}/inventories?property=ALP&days=7`);
    await plain.getByRole("searchbox", { name: "Switch property" }).fill("almhof");
    await plain.keyboard.press("Enter");
    await plain.locator("main").getByRole("link", { name: "Almhof" }).click();
    await plain.waitForURL(`${origin}/inventories?property=ALM&days=7`);
    await context.close();
  });

  test("the form for a new property focuses the code field and preselects the browser's time zone", async () => {
    const context = await openContext({ timezoneId: "Asia/Kolkata" });
    const opened = await context.newPage();
    await opened.goto(`${origin}/property/new`);
    assert.equal(await opened.evaluate("document.activeElement.id"), "f-code");
    assert.equal(await opened.getByLabel("Time zone").inputValue(), "Asia/Kolkata");
    await opened.goto(`${origin}/property/ALP/edit`);
    assert.equal(await opened.getByLabel("Time zone").inputValue(), "Europe/Rome");
    await context.close();
  });
});
