import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { startApp, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { eachEngine } from "../test/support/databases.ts";

eachEngine("a new user", (open) => {
  let service: TestApp;
  let origin: string;

  beforeEach(async () => {
    service = await startApp({ database: await open() });
    origin = await service.listen();
  });
  afterEach(() => service.close());

  for (const javaScriptEnabled of [true, false]) {
    test(`creates a property, sends a message and sees its rate ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const context = await openContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${origin}/`);
      await createProperty(page);
      await createCategory(page);
      await sendExample(page, "counts-of-a-week");
      await sendExample(page, "amounts-by-guests");
      await seeInventories(page);
      await seeRates(page);
      await seeHistory(page);
      await seeMessage(page);
      await seeWrongAddress(page, origin);
      await context.close();
    });
  }
});

async function createProperty(page: Page): Promise<void> {
  await follow(page.getByRole("link", { name: "Create a property" }));
  await page.getByLabel("Code", { exact: true }).fill("ALP");
  await page.getByLabel("Name", { exact: true }).fill("Alpenblick");
  await page.getByLabel("Time zone").selectOption("Europe/Rome");
  await follow(page.getByRole("button", { name: "Create property" }));
  assert.equal(new URL(page.url()).pathname, "/property/ALP");
  assert.equal(await heading(page), "Alpenblick");
}

async function createCategory(page: Page): Promise<void> {
  await follow(page.getByRole("link", { name: "New category" }));
  await page.getByLabel("Code", { exact: true }).fill("DBL");
  await page.getByLabel("Name", { exact: true }).fill("Double room");
  await page.locator('[name="rooms"]').fill("10");
  await follow(page.getByRole("button", { name: "Create category" }));
  assert.equal(new URL(page.url()).pathname, "/category/ALP/DBL/edit");
}

async function sendExample(page: Page, name: string): Promise<void> {
  await inNavigation(page, "Messages");
  await inNavigation(page, "Console", "Messages");
  await page.locator("details", { hasText: name }).locator("summary").click();
  await follow(page.getByRole("link", { name, exact: true }));
  await follow(page.getByRole("button", { name: "Send and apply" }));
  assert.match((await page.locator("#result").textContent()) ?? "", /^\s*Response 200/);
  assert.match((await page.getByLabel("Response", { exact: true }).textContent()) ?? "", /<Success\/>/);
}

async function seeInventories(page: Page): Promise<void> {
  await inNavigation(page, "Grid");
  const cells = await page.locator("table.grid tr.category td").allTextContents();
  assert.deepEqual(cells.slice(0, 8).map(squeeze), [...Array.from({ length: 7 }, () => "3 changed"), "–no data"]);
}

async function seeRates(page: Page): Promise<void> {
  await inNavigation(page, "Rates", "Property");
  const row = page.locator("table.grid tr", { hasText: "BAR" });
  const cells = await row.locator("td").allTextContents();
  assert.match(squeeze(cells[0]!), /^120 changed$/);
  assert.equal(await row.getByRole("link", { name: "120 changed", exact: true }).count(), 7);
  assert.match(squeeze(cells[7]!), /no data/);
  await row.locator("td a").first().click();
}

async function seeHistory(page: Page): Promise<void> {
  const panel = page.locator("#night");
  assert.match((await panel.locator("h2").textContent()) ?? "", /20 November 2026.*BAR/s);
  const history = panel.locator(".history");
  assert.match(squeeze((await history.textContent()) ?? ""), /from .* to .*120\.00/);
  await follow(history.getByRole("link", { name: /^message \d+$/ }).first());
}

async function seeMessage(page: Page): Promise<void> {
  assert.match(await heading(page), /^Message #\d+$/);
  assert.match((await page.getByLabel("Request", { exact: true }).textContent()) ?? "", /OTA_HotelRateAmountNotifRQ/);
  await follow(page.getByRole("link", { name: "Message log" }));
  assert.equal(new URL(page.url()).pathname, "/dev/logs");
  const rows = await page.locator("main tbody tr").allTextContents();
  assert.equal(rows.length, 2);
  assert.match(rows[0]!, /OTA_HotelRateAmountNotifRQ/);
  assert.match(rows[1]!, /OTA_HotelInvCountNotifRQ/);
}

async function seeWrongAddress(page: Page, origin: string): Promise<void> {
  const answer = await page.goto(`${origin}/propety?x=1`);
  assert.equal(answer?.status(), 404);
  assert.equal(await heading(page), "Not found");
  await follow(page.getByRole("link", { name: "Go to the home page" }));
  await inNavigation(page, "Admin");
  await follow(page.locator("main").getByRole("link", { name: /^Error/ }));
  const first = page.locator("main tbody tr").first();
  assert.match(squeeze((await first.textContent()) ?? ""), /NotFoundException Route 'GET \/propety' not found php No$/);
  await follow(first.getByRole("link"));
  assert.equal(await heading(page), "NotFoundException");
  assert.match((await page.locator("main").textContent()) ?? "", /"REQUEST_URI": "\/propety\?x=1"/);
}

async function inNavigation(page: Page, name: string, navigation = "Main"): Promise<void> {
  await follow(page.getByRole("navigation", { name: navigation }).getByRole("link", { name, exact: true }));
}

async function follow(target: Locator): Promise<void> {
  await Promise.all([target.page().waitForEvent("load"), target.click()]);
}

async function heading(page: Page): Promise<string> {
  return squeeze((await page.locator("h1").textContent()) ?? "");
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
