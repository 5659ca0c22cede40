import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { openContext } from "../test/support/browser.ts";
import { makeHotel } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

describe("keyboard and focus", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(makeHotel));
  });

  const focused = () =>
    page.evaluate<string>("document.activeElement.id || document.activeElement.className || document.activeElement.localName");

  test("the first Tab stop is a link that skips to the content", async () => {
    await page.goto(`${origin}/property`);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "skip");
    assert.ok(await page.evaluate<boolean>("document.activeElement.getBoundingClientRect().top >= 0"), "visible");
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "main");
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate<boolean>("document.activeElement.closest('main') !== null"), "the next stop is inside the content");
  });

  test("/ and Ctrl+K focus the search box without typing into it", async () => {
    await page.goto(`${origin}/property`);
    await page.keyboard.press("Control+k");
    assert.equal(await focused(), "find");
    await page.goto(`${origin}/property`);
    await page.keyboard.press("/");
    assert.equal(await focused(), "find");
    await page.keyboard.type("a/b?g");
    assert.equal(await page.evaluate("document.activeElement.value"), "a/b?g");
    assert.equal(await page.locator("dialog[open]").count(), 0);
  });

  test("pressing g and then r opens the rates", async () => {
    await page.goto(`${origin}/property`);
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(`${origin}/rates`);
  });

  test("pressing n or p moves a grid to later or earlier nights", async () => {
    await page.goto(`${origin}/rates?property=ALP`);
    await page.keyboard.press("n");
    await page.waitForURL(/from=2026-12-04/);
    await page.keyboard.press("p");
    await page.waitForURL(/from=2026-11-20/);
  });

  test("arrow keys move between nights in the grid and the calendar", async () => {
    const night = () => page.evaluate<string>("new URLSearchParams(document.activeElement.search).get('at').replace('ALP/', '')");
    for (const view of ["grid", "calendar"]) {
      await page.goto(`${origin}/inventories?property=ALP&view=${view}&days=28`);
      await page.locator("td a").first().focus();
      assert.equal(await night(), "DBL//2026-11-20", view);
      await page.keyboard.press("ArrowRight");
      assert.equal(await night(), "DBL//2026-11-21", view);
      await page.keyboard.press("ArrowDown");
      assert.equal(await night(), view === "grid" ? "SGL//2026-11-21" : "DBL//2026-11-28");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowLeft");
      assert.equal(await night(), "DBL//2026-11-20", view);
      await page.keyboard.press("End");
      assert.equal(await night(), view === "grid" ? "DBL//2026-12-17" : "DBL//2026-11-22");
      assert.ok(
        await page.evaluate<boolean>("(({ right }) => right <= innerWidth)(document.activeElement.getBoundingClientRect())"),
        `${view}: scrolled into view`,
      );
      await page.keyboard.press("ArrowRight");
      assert.equal(await night(), view === "grid" ? "DBL//2026-12-17" : "DBL//2026-11-22", "stops at the last night");
      const inside = "document.activeElement.closest('table') === document.querySelector('main td > a').closest('table')";
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate<boolean>(inside), false, "Tab leaves the nights");
      await page.keyboard.press("Shift+Tab");
      assert.equal(await night(), view === "grid" ? "DBL//2026-12-17" : "DBL//2026-11-22", "Shift+Tab returns to the same night");
    }
  });

  test("closing a night's history returns the focus to the night in each view", async () => {
    const night = () => page.evaluate<string>("new URLSearchParams(document.activeElement.search).get('at')");
    for (const view of ["grid", "list", "calendar"]) {
      const opened = `${origin}/inventories?property=ALP&view=${view}&nightCategory=SGL&night=2026-11-23`;
      await page.goto(opened);
      await page.keyboard.press("Escape");
      await page.waitForURL((url) => !url.searchParams.has("night"));
      assert.equal(await night(), "ALP/SGL//2026-11-23", view);
      await page.goto(opened);
      await page.getByRole("link", { name: "Close", exact: true }).click();
      await page.waitForURL((url) => !url.searchParams.has("night"));
      assert.equal(await night(), "ALP/SGL//2026-11-23", view);
    }
    await page.reload();
    assert.equal(await focused(), "body", "only once");
  });

  test("keyboard shortcuts select, edit and create records in a list", async () => {
    await page.goto(`${origin}/category`);
    const row = () => page.evaluate<string>("document.activeElement.textContent");
    const visited = [];
    for (const key of ["j", "j", "j", "k", "k"]) {
      await page.keyboard.press(key);
      visited.push(await row());
    }
    assert.deepEqual(visited, ["Double room", "Single room", "Single room", "Double room", "Double room"]);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${origin}/category/ALP/DBL/edit`);
    await page.goto(`${origin}/property/ALP`);
    await page.keyboard.press("e");
    await page.waitForURL(`${origin}/property/ALP/edit`);
    await page.goto(`${origin}/property`);
    await page.keyboard.press("c");
    await page.waitForURL(`${origin}/property/new`);
  });

  test("Ctrl+Enter submits a form from any field, and sends a console message as a dry run", async () => {
    await page.goto(`${origin}/property/ALP/edit`);
    await page.getByLabel("Description").fill("Quiet.\nSunny.");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(`${origin}/property/ALP`);
    await page.goto(`${origin}/dev/channel?example=ping`);
    await page.getByLabel("Message", { exact: true }).fill("<OTA_PingRQ/>");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Only the log entry was stored").waitFor();
  });

  test("Enter in the hourly limit field mutes error groups", async () => {
    await page.goto(`${origin}/nowhere`);
    for (const [limit, key] of Object.entries({ 3: "Enter", 4: "Control+Enter" })) {
      await page.goto(`${origin}/tools/errors?view=groups&state=all`);
      await page.getByRole("checkbox").first().check();
      await page.getByLabel("Mute", { exact: true }).selectOption("louder");
      await page.getByLabel("Entries per hour").fill(limit);
      await page.keyboard.press(key);
      await page.getByText(`1 group is now muted until more than ${limit} entries per hour.`).waitFor();
    }
  });

  test("pressing ? shows the shortcuts and a setting to turn them off permanently", async () => {
    await page.goto(`${origin}/property`);
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByLabel("Use keyboard shortcuts in this browser").uncheck();
    await page.keyboard.press("Escape");
    assert.equal(await dialog.count(), 0);
    await page.reload();
    await page.keyboard.press("/");
    assert.equal(await focused(), "body");
    await page.keyboard.press("?");
    assert.equal(await dialog.count(), 0);
    await page.getByRole("button", { name: "Open access" }).click();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await dialog.getByLabel("Use keyboard shortcuts in this browser").check();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    assert.equal(await page.evaluate("document.activeElement.name"), "q");
  });

  test("the shortcut help opens at the top in a small window", async () => {
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width, height: 300 });
    await page.goto(`${origin}/property`);
    await page.keyboard.press("?");
    const scrolled = await page.evaluate<number[]>(
      "[document.querySelector('dialog').scrollTop, document.querySelector('dialog').scrollHeight]",
    );
    assert.deepEqual([scrolled[0], scrolled[1]! > 300], [0, true]);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "keys-on");
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width, height });
  });

  test("in a narrow window, the top bar stays low and its menu opens without scripts", async () => {
    for (const width of [390, 768, 1440]) {
      const context = await openContext({ javaScriptEnabled: false, viewport: { width, height: 900 } });
      const opened = await context.newPage();
      await opened.goto(`${origin}/property`);
      const { height } = (await opened.locator("header.top").boundingBox())!;
      assert.ok(height <= 56, `${height} high at ${width}`);
      const menu = opened.getByRole("button", { name: "Menu" });
      const link = opened.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Messages" });
      assert.deepEqual([await menu.isVisible(), await link.isVisible()], [width < 900, width >= 900]);
      if (width < 900) await menu.click();
      await link.click();
      await opened.waitForURL(`${origin}/dev/logs`);
      await context.close();
    }
  });

  test("a refused form moves focus to the error summary, which links to the fields", async () => {
    await page.goto(`${origin}/property/new`);
    await page.evaluate("document.querySelector('main form').noValidate = true");
    await page.getByLabel("Code", { exact: true }).fill("no code");
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Create property" }).click()]);
    assert.match(await page.title(), /^Error: /);
    assert.equal(await focused(), "summary");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "f-code");
    assert.equal(await page.getByLabel("Code", { exact: true }).inputValue(), "no code");
    assert.equal(await page.getByLabel("Code", { exact: true }).getAttribute("aria-invalid"), "true");
  });

  test("the buttons of a long form stay visible and don't cover the focused field", async () => {
    await page.goto(`${origin}/property/ALP/edit`);
    const save = page.getByRole("button", { name: "Save property" });
    const inView = "(box => box.top >= 0 && box.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())";
    const free =
      "(box => document.elementFromPoint(box.left + 5, box.bottom - 5) === document.activeElement)(document.activeElement.getBoundingClientRect())";
    const box = await save.boundingBox();
    assert.ok(box && box.y + box.height <= 900, "visible at the top of the page");
    for (const name of ["phone", "website", "description", "notes", "name"]) {
      await page.locator(`#f-${name}`).focus();
      assert.ok(await page.evaluate<boolean>(inView), name);
      assert.ok(await page.evaluate<boolean>(free), `nothing covers ${name}`);
    }
  });

  test("a form with unsaved values asks for confirmation before the user leaves", async () => {
    await page.goto(`${origin}/property/ALP/edit`);
    await page.getByLabel("Name", { exact: true }).fill("Changed");
    const confirmation = page.waitForEvent("dialog");
    const leaving = page.getByRole("link", { name: "Roomrack" }).click();
    const dialog = await confirmation;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    await leaving;
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Changed");
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Save property" }).click()]);
    assert.equal(await page.locator("h1").textContent(), "Changed");
  });

  test("the console asks for confirmation before an example replaces an edited message", async () => {
    await page.goto(`${origin}/dev/channel?example=counts-of-a-week`);
    await page.getByLabel("Message", { exact: true }).fill("<my own/>");
    const confirmation = page.waitForEvent("dialog");
    const leaving = page.getByRole("link", { name: "sold-out", exact: true }).click();
    await (await confirmation).dismiss();
    await leaving;
    assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "<my own/>");
    await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Dry run" }).click()]);
    await Promise.all([page.waitForEvent("load"), page.getByRole("link", { name: "Message log" }).click()]);
    assert.equal(await page.locator("h1").textContent(), "Message log");
  });
});
