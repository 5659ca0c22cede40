import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openSite } from "./site.ts";

/** Longer than the double-click interval of browsers. */
const AFTER_DOUBLE_CLICK_MS = 350;

describe("a form", () => {
  let origin: string;
  let page: Page;
  let sent = 0;
  /** Delays every form until it resolves. */
  let released = Promise.resolve();

  before(async () => {
    ({ origin, page } = await openSite());
    await page.route("**/*", async (route) => {
      if (route.request().method() === "POST") {
        sent++;
        await released;
      }
      await route.continue();
    });
  });

  test("a form is submitted only once if its button is pressed repeatedly", async () => {
    await page.goto(`${origin}/property/new`);
    await page.getByLabel("Code", { exact: true }).fill("ALP");
    await page.getByLabel("Name", { exact: true }).fill("Alpenblick");
    const button = page.getByRole("button", { name: "Create property" });
    await page.evaluate("addEventListener('submit', ({ target }) => sessionStorage.setItem('busy', target.ariaBusy))");
    const pressed = Promise.withResolvers<void>();
    released = pressed.promise;
    const created = page.waitForURL(`${origin}/property/ALP`);
    await button.click({ noWaitAfter: true });
    await pressAgain(page);
    pressed.resolve();
    await created;
    assert.equal(sent, 1);
    assert.equal(await page.evaluate("sessionStorage.getItem('busy')"), "true", "aria-busy is set while the form is being sent");
    assert.match((await page.locator("main").textContent()) ?? "", /Property ALP was created/);
  });

  test("a form can be submitted again after the user goes back to it", async () => {
    sent = 0;
    await page.goBack();
    await page.getByLabel("Code", { exact: true }).fill("SEA");
    await Promise.all([page.waitForURL(`${origin}/property/SEA`), page.getByRole("button", { name: "Create property" }).click()]);
    assert.equal(sent, 1);
  });

  test("after an aborted submission, a form asks for confirmation before the user leaves", async () => {
    await page.goto(`${origin}/property/ALP/edit`);
    await page.getByLabel("Name", { exact: true }).fill("Changed");
    await page.route("**/edit", (route) => route.abort("aborted"));
    const save = page.getByRole("button", { name: "Save property" });
    await Promise.all([page.waitForEvent("requestfailed"), save.click({ noWaitAfter: true })]);
    await save.click({ noWaitAfter: true });
    const confirmation = page.waitForEvent("dialog");
    const leaving = page.getByRole("link", { name: "Roomrack" }).click();
    const dialog = await confirmation;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.accept();
    await leaving;
    await page.unroute("**/edit");
  });

  test("reports pasted text that is too long instead of truncating it", async () => {
    await page.goto(`${origin}/property/new`);
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.insertText("x".repeat(200));
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Create property" }).click()]);
    assert.equal((await page.locator("[name=name]").inputValue()).length, 200);
    assert.match((await page.locator("#e-name").textContent()) ?? "", /Enter a name of up to 128 characters/);
  });

  test("asks for confirmation before the user leaves a form with an expired token", async () => {
    await page.goto(`${origin}/property/ALP/edit`);
    await page.getByLabel("Name", { exact: true }).fill("Alpenrose");
    await page.context().clearCookies();
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Save property" }).click()]);
    const confirmation = page.waitForEvent("dialog");
    const leaving = page.getByRole("link", { name: "Roomrack" }).click();
    await (await confirmation).dismiss();
    await leaving;
    await Promise.all([page.waitForURL(`${origin}/property/ALP`), page.getByRole("button", { name: "Submit again" }).click()]);
    assert.equal(await page.locator("h1").textContent(), "Alpenrose");
  });

  test("shows a hint while the user types an unusual or long code", async () => {
    for (const [url, longest] of [
      ["/property/new", 16],
      ["/category/new", 8],
    ] as const) {
      await page.goto(origin + url);
      const code = page.getByLabel("Code", { exact: true });
      const hint = page.locator(".field [role=status]");
      for (const [typed, expected] of [
        ["Hôtel 1", "Most systems use codes like HOTEL-1."],
        ["DBL_1", ""],
        ["A".repeat(20), `Some systems can send only ${longest} of these 20 characters.`],
      ] as const) {
        await code.fill(typed);
        assert.equal(await hint.textContent(), expected, typed);
      }
    }
  });

  test("refuses a time without minutes instead of dropping it", async () => {
    await page.goto(`${origin}/property/ALP/edit`);
    const time = page.getByLabel("Check-in from");
    await time.focus();
    await page.keyboard.type("15");
    sent = 0;
    const save = page.getByRole("button", { name: "Save property" });
    await save.click();
    await time.fill("15:00");
    await Promise.all([page.waitForURL(`${origin}/property/ALP`), save.click()]);
    assert.equal(sent, 1, "the browser blocks the first attempt");
    assert.match((await page.locator("main").textContent()) ?? "", /from 15:00/);
  });
});

async function pressAgain(page: Page): Promise<void> {
  await sleep(AFTER_DOUBLE_CLICK_MS);
  await page.keyboard.press("Enter");
}
