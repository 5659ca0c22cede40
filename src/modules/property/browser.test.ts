import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { openContext } from "../../../test/support/browser.ts";

let service: TestApp;
let context: BrowserContext;
let address: string;
before(async () => {
  service = await startApp();
  address = await service.listen();
  context = await openContext();
});
after(async () => {
  await context.close();
  await service.close();
});

async function open(url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address + url);
  return page;
}

async function createHotel(code: string): Promise<Page> {
  const page = await open("/property/new");
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByLabel("Name").fill(`Hotel ${code}`);
  await page.getByRole("button", { name: "Create property" }).click();
  await page.waitForURL(`**/property/${code}`);
  return page;
}

test("creates and edits a property", async () => {
  const page = await createHotel("B1");
  assert.match((await page.getByRole("status").textContent()) ?? "", /Property B1 was created/);
  await page.getByRole("link", { name: "Edit property" }).click();
  assert.equal(await page.getByLabel("Code", { exact: true }).isEditable(), false);
  await page.getByText("Advanced").click();
  await page.getByLabel("Accept known rate plans only").check();
  await page.getByLabel("Prices include tax").uncheck();
  await page.getByRole("button", { name: "Save property" }).click();
  await page.waitForURL("**/property/B1");
  const { knownPlansOnly, pricesIncludeTax, assumeOpen } = (await service.database.read
    .selectFrom("property")
    .select(["known_plans_only as knownPlansOnly", "prices_include_tax as pricesIncludeTax", "assume_open as assumeOpen"])
    .where("code", "=", "B1")
    .executeTakeFirstOrThrow()) as Record<string, number>;
  assert.deepEqual({ knownPlansOnly, pricesIncludeTax, assumeOpen }, { knownPlansOnly: 1, pricesIncludeTax: 0, assumeOpen: 1 });
  await page.close();
});

test("moves focus to the error summary, which links to the fields, even collapsed ones", async () => {
  const page = await open("/property/new");
  await page.getByText("Region and coordinates").click();
  await page.getByLabel("Latitude").fill("north");
  await page.getByRole("button", { name: "Create property" }).click();
  await page.waitForSelector(".summary");
  assert.match(await page.title(), /^Error: New property/);
  assert.equal(await page.evaluate(() => (globalThis as unknown as Dom).document.activeElement.className), "summary");
  await page.getByRole("link", { name: /^Enter a latitude/ }).click();
  assert.equal(await page.evaluate(() => (globalThis as unknown as Dom).document.activeElement.id), "f-latitude");
  assert.equal(await page.getByLabel("Latitude").inputValue(), "north");
  await page.close();
});

test("asks for confirmation before the user leaves a changed form, but not an unchanged or saved one", async () => {
  const page = await createHotel("B2");
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked++;
    void dialog.accept();
  });
  await page.goto(`${address}/property/B2/edit`);
  await page.goto(`${address}/property/B2/edit`);
  assert.equal(asked, 0, "nothing was typed");
  await page.getByLabel("Name").fill("Other");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL("**/property/B2");
  assert.equal(asked, 1, "something was typed");
  await page.goto(`${address}/property/B2/edit`);
  await page.getByLabel("Name").fill("Other");
  await page.getByRole("button", { name: "Save property" }).click();
  await page.waitForURL("**/property/B2");
  assert.equal(asked, 1, "it was saved");
  await page.close();
});

test("offers keyboard shortcuts that pause while the user types and can be turned off", async () => {
  await (await createHotel("B3")).close();
  const page = await open("/property");
  await page.keyboard.press("/");
  await page.keyboard.type("g c/?");
  assert.equal(await page.locator("#find").inputValue(), "g c/?");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  assert.equal(await help.isVisible(), true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.waitForURL("**/category");
  await page.getByRole("button", { name: "Open access" }).click();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await page.getByLabel("Use keyboard shortcuts in this browser").uncheck();
  await page.getByRole("button", { name: "Close" }).click();
  await page.reload();
  await page.keyboard.press("?");
  assert.equal(await help.isVisible(), false);
  await page.close();
});

test("property and category pages fit on a phone screen and work without JavaScript", async () => {
  const phone = await openContext({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false });
  const page = await phone.newPage();
  await page.goto(`${address}/property/new`);
  await page.getByLabel("Code", { exact: true }).fill("P1");
  await page.getByLabel("Name").fill("A name that is long enough to need more than one line on a small screen");
  await page.getByRole("button", { name: "Create property" }).click();
  for (const url of ["/property", "/property/new", "/property/P1", "/property/P1/edit", "/category", "/category/new?hotelCode=P1"]) {
    await page.goto(address + url);
    assert.equal(await page.evaluate(() => (globalThis as unknown as Dom).document.documentElement.scrollWidth), 320, url);
    assert.equal(await page.locator("h1").count(), 1, url);
  }
  await phone.close();
});

/** The part of the DOM that these tests use; the project has no DOM types. */
type Dom = { document: { activeElement: { id: string; className: string }; documentElement: { scrollWidth: number } } };
