import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { START, type TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { availMessage, countMessage, makeHotel, postMessage, rateMessage } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const CONTROL = 'Start="2026-11-20" End="2026-12-31" InvTypeCode="DBL"';
const ONE = 'Start="2026-12-24" End="2026-12-24" InvTypeCode="DBL"';
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

describe("a grid", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  const cell = (row: string, night: string) => page.locator(`.grid td a[href$="/${row}/2026-11-${night}"]`);
  const panel = () => page.locator(".chosen-bar #selection");
  const selected = () => page.locator(".grid td.selected").count();

  test("summarises the nights selected by dragging the mouse", async () => {
    await page.goto(`${origin}/rates?property=ALP`);
    await cell("BAR", "28").hover();
    await page.mouse.down();
    await cell("NRF", "30").hover();
    await page.mouse.up();
    await panel().waitFor();
    assert.match(
      await panel().innerText(),
      /3 nights × 2 rows[\s\S]*Lowest price\s+90\.00 EUR[\s\S]*Free rooms per night\s+3[\s\S]*Problems\s+none/,
    );
    assert.equal(await selected(), 6);
    assert.equal(await page.locator("dialog.drawer[open]").count(), 0, "dragging opens no night");
    assert.match(page.url(), /select=2026-11-28%2F2026-11-30%2CDBL%2FBAR%2CDBL%2FNRF/);
    await page.reload();
    assert.equal(await selected(), 6);
    await page.keyboard.press("Escape");
    assert.deepEqual([await selected(), await panel().count()], [0, 0]);
    assert.doesNotMatch(page.url(), /select/);
  });

  test("extends a selection with Shift and the arrow keys, and exports it", async () => {
    await page.goto(`${origin}/rates?property=ALP`);
    await cell("BAR", "28").focus();
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowDown");
    await panel().getByText("3 nights × 2 rows").waitFor();
    await page.keyboard.press("Shift+ArrowLeft");
    await panel().getByText("2 nights × 2 rows").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), panel().getByRole("link", { name: "CSV" }).click()]);
    const csv = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    assert.equal(csv.length, 1 + 4);
    await panel().getByRole("link", { name: "Write as message" }).click();
    await page.waitForURL(/\/dev\/channel/);
    assert.match(
      await page.getByLabel("Message", { exact: true }).inputValue(),
      /"rate_plan_id": "BAR",\s+"date_from": "2026-11-28",\s+"date_to": "2026-11-29"/,
    );
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("Only the log entry was stored").waitFor();
  });

  test("hides a category's plans, and keeps them hidden on the next page", async () => {
    await page.goto(`${origin}/rates?property=ALP`);
    const fold = page.getByRole("button", { name: "Rows of DBL" });
    assert.equal(await fold.getAttribute("aria-expanded"), "true");
    await fold.focus();
    await page.keyboard.press("Enter");
    assert.equal(await cell("BAR", "28").isVisible(), false);
    await page.keyboard.press("]");
    await page.waitForURL(/from=2026-12-11/);
    assert.equal(await fold.getAttribute("aria-expanded"), "false");
    await fold.click();
    await page.keyboard.press("[");
    await page.waitForURL(/from=2026-11-27/);
    assert.equal(await cell("BAR", "28").isVisible(), true);
    await page.keyboard.press("]");
    await page.waitForURL(/from=2026-12-11/);
    await page.keyboard.press("t");
    await page.waitForURL(`${origin}/rates?property=ALP`);
  });

  test("fits 31 nights on a desktop screen", async () => {
    const context = await openContext({ viewport: { width: 1440, height: 900 } });
    const wide = await context.newPage();
    for (const grid of ["rates", "inventories"]) {
      await wide.goto(`${origin}/${grid}?property=ALP&days=31`);
      const [scroll, client] = await wide.evaluate<[number, number]>(
        "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.grid-scroll'))",
      );
      assert.ok(scroll <= client, `${grid}: ${scroll} in ${client}`);
      const out = await wide.evaluate<string[]>(
        "[...document.querySelectorAll('.grid td')].filter((td) => td.scrollWidth > td.clientWidth + 1).map((td) => td.textContent)",
      );
      assert.deepEqual(out, [], grid);
    }
    await context.close();
  });

  test("shows comparisons and explanations without scripts", async () => {
    const context = await openContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${origin}/rates?property=ALP`);
    await plain.getByRole("button", { name: "Legend" }).click();
    assert.equal(await plain.getByText("closed to arrival", { exact: true }).isVisible(), true);
    await plain.keyboard.press("Escape");
    await plain.getByRole("button", { name: "Compare" }).first().click();
    await plain.getByLabel("Data as of").fill("2026-11-20T12:00");
    await plain.getByRole("button", { name: "Compare" }).nth(1).click();
    assert.match(await plain.locator("main").innerText(), /Compared with the data as of 2026-11-20 12:00:00/);
    assert.equal(await plain.locator(".grid em.up").first().innerText(), "+12");
    await context.close();
  });

  test("the reason why a night cannot be sold takes three steps to find", async () => {
    const context = await openContext();
    const fresh = await context.newPage();
    await fresh.goto(`${origin}/`);
    const steps = [
      async () => {
        await fresh.getByLabel("Search properties, messages and pages").fill("DBL");
        await fresh.getByRole("option", { name: "Double room" }).click();
      },
      async () => {
        await fresh.getByLabel("Night", { exact: true }).fill("2026-12-24");
        await fresh.getByRole("button", { name: "Show night" }).click();
      },
    ];
    for (const step of steps) await step();
    assert.match(
      await fresh.locator("#night").innerText(),
      /Thu 24 December 2026: DBL[\s\S]*Not for sale: stop sell on category DBL since [\s\S]*from pms/,
    );
    assert.ok(steps.length <= 3);
    await context.close();
  });

  test("the price from a week ago takes two steps to find", async () => {
    await page.goto(`${origin}/rates?property=ALP`);
    const steps = [
      () => page.locator(".grid-nav").getByRole("button", { name: "Compare" }).click(),
      () => page.getByRole("link", { name: "A week ago" }).click(),
    ];
    for (const step of steps) await step();
    await page.waitForURL(/compare=/);
    assert.match(await cell("BAR", "28").innerText(), /^132\s*\+12\s+was 120$/);
    assert.ok(steps.length <= 2);
  });

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1440, 390])
      test(`passes axe checks with the drawer, popovers and a selection open (${colorScheme}, ${width} pixels wide)`, async () => {
        const context = await openContext({ viewport: { width, height: 900 }, colorScheme });
        await context.addInitScript(AXE);
        const open = await context.newPage();
        const faults = async (name: string) => {
          const { violations } = (await open.evaluate(
            `axe.run(document, ${JSON.stringify({ runOnly: RULES, resultTypes: ["violations"] })})`,
          )) as AxeResults;
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${name}: ${id}: ${html.slice(0, 200)} ${failureSummary}`),
          );
        };
        const all: string[] = [];
        await open.goto(`${origin}/rates?property=ALP&compare=2026-11-20T12:00Z&select=2026-11-28/2026-11-30,DBL/BAR`);
        await open.locator('.grid td a[href$="/BAR/2026-11-28"]').click();
        await open.locator("dialog.drawer[open] #night").waitFor();
        all.push(...(await faults("drawer")));
        await open.goto(`${origin}/inventories?property=ALP&days=31&select=2026-11-28/2026-11-30,DBL/`);
        all.push(...(await faults("31 nights")));
        for (const name of ["Compare", "Legend"]) {
          await open.locator(".grid-nav").getByRole("button", { name }).click();
          all.push(...(await faults(name)));
          await open.keyboard.press("Escape");
        }
        assert.equal(all.join("\n"), "");
        await context.close();
      });
});

async function fill(service: TestApp): Promise<void> {
  await makeHotel(service);
  const price = (plan: string, amount: string) =>
    postMessage(
      service,
      rateMessage({ control: `${CONTROL} RatePlanCode="${plan}"`, amounts: [`NumberOfGuests="2" AmountAfterTax="${amount}"`] }),
    );
  await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 3]] }));
  await price("BAR", "120");
  await price("NRF", "90");
  await postMessage(service, availMessage({ control: ONE, content: '<RestrictionStatus Status="Close"/>' }));
  service.clock.set(START + 7 * 86_400_000 + 2 * 3_600_000);
  await price("BAR", "132");
}
