import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { TestApp } from "../test/support/app.ts";
import { openContext } from "../test/support/browser.ts";
import { countMessage, makeHotel, postXml } from "../test/support/hotel.ts";
import { openSite } from "./site.ts";

const LONG = "W".repeat(300);

describe("logs that contain very long words", () => {
  let origin: string;
  let page: Page;

  before(async () => {
    ({ origin, page } = await openSite(fill));
  });

  test("a log with very long words fits a printed portrait page, and a phone screen with text at 200%", async () => {
    const narrow = await (await openContext({ viewport: { width: 718, height: 1000 } })).newPage();
    const widest = "Math.max(...[document.documentElement, ...document.querySelectorAll('.scroll')].map((part) => part.scrollWidth))";
    for (const url of ["/", "/property", "/category", "/dev/logs", "/tools/errors", "/tools/dbsync"]) {
      await narrow.emulateMedia({ media: "print" });
      await narrow.setViewportSize({ width: 718, height: 1000 });
      await narrow.goto(origin + url);
      assert.equal(await narrow.evaluate(widest), 718, `${url} on paper`);
    }
    for (const url of ["/", "/category", "/dev/logs", "/tools/errors", "/tools/request", "/dev/logs/1"]) {
      await narrow.emulateMedia({ media: "screen" });
      await narrow.setViewportSize({ width: 390, height: 844 });
      await narrow.goto(origin + url);
      await narrow.evaluate("(document.documentElement.style.fontSize = '200%', undefined)");
      assert.equal(await narrow.evaluate(widest), 390, `${url} on a phone`);
    }
    const indents = `[...document.querySelectorAll("dl.facts > *")].map((part) => Math.round(part.getBoundingClientRect().left))`;
    assert.equal(new Set(await narrow.evaluate<number[]>(indents)).size, 1, "values are shown below their names");
    await narrow.context().close();
  });

  test("prints the active filters, and each cell below its heading", async () => {
    await page.emulateMedia({ media: "print" });
    const shown = "(row) => [...row.cells].filter((cell) => cell.offsetWidth > 0).length";
    for (const url of ["/property", "/tools/errors?view=groups", "/tools/caches", "/dev/logs"]) {
      await page.goto(origin + url);
      const [heads, cells] = await page.evaluate<[number, number]>(`[...document.querySelectorAll("main .table tr")].map(${shown})`);
      assert.ok(heads > 1, url);
      assert.equal(cells, heads, url);
      assert.equal(await page.locator("fieldset:visible, summary:visible, button:visible").count(), 0, url);
    }
    for (const url of ["/tools/errors", "/tools/errors?view=groups"]) {
      await page.goto(origin + url);
      const { height } = (await page.getByText("NotFoundException", { exact: true }).first().boundingBox())!;
      assert.ok(height < 24, `a class wraps in ${url}: ${height}`);
    }
    assert.ok(await page.locator(".sparkline").first().isVisible(), "the hourly counts of a group");
    await page.goto(`${origin}/dev/logs?outcome=refused&from=2020-01-01`);
    assert.equal(await page.locator("summary:visible").textContent(), "Filter: outcome refused, from 2020-01-01");
    await page.emulateMedia({ media: "screen" });
  });

  test("shows an error group's message on a tablet in landscape", async () => {
    const tablet = await (await openContext({ viewport: { width: 1024, height: 768 } })).newPage();
    await tablet.goto(`${origin}/tools/errors?view=groups`);
    assert.equal(await tablet.getByText("regressed").count(), 1);
    const { x, width } = (await tablet.locator("td.long").first().boundingBox())!;
    assert.ok(x + width <= 1024, `${x + width}`);
    await tablet.context().close();
  });

  test("shows all columns of a property's categories at each screen width", async () => {
    const screen = await (await openContext()).newPage();
    await screen.goto(`${origin}/property/ALP`);
    for (const width of [768, 960, 1024, 1100, 1180, 1440]) {
      await screen.setViewportSize({ width, height: 800 });
      const over = await screen.evaluate<number>(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll'))",
      );
      assert.ok(over <= 0, `${width} wide: ${over} pixels are hidden`);
    }
    await screen.context().close();
  });

  for (const url of ["/", "/dev", "/dev/logs", "/tools/errors", "/tools/dbsync", "/tools/routes"]) {
    test(`shows every column of ${url} without very tall rows`, async () => {
      await page.goto(origin + url);
      const [over, highest] = await page.evaluate<[number, number]>(`[
        Math.max(...[...document.querySelectorAll(".scroll")].map((part) => part.scrollWidth - part.clientWidth)),
        Math.max(...[...document.querySelectorAll("tbody tr")].map((row) => row.offsetHeight)),
      ]`);
      assert.ok(over <= 0, `${over} pixels too wide`);
      assert.ok(highest < 250, `a row is ${highest} high`);
    });

    test(`stacks the table cells of ${url} on a phone`, async () => {
      const phone = await (await openContext({ viewport: { width: 390, height: 844 } })).newPage();
      await phone.goto(origin + url);
      const outside = await phone.evaluate<string[]>(`[...document.querySelectorAll("tbody td")]
        .filter((cell) => cell.textContent.trim() !== "" && cell.getBoundingClientRect().right > innerWidth)
        .map((cell) => cell.textContent.trim().slice(0, 60))`);
      assert.deepEqual(outside, []);
      assert.ok(await phone.locator("tbody td:visible").count());
      await phone.context().close();
    });
  }
});

async function fill(service: TestApp): Promise<void> {
  await makeHotel(service);
  const message = countMessage({ control: `Start="2026-11-20" End="2026-11-20" InvTypeCode="${LONG}"`, counts: [[2, 1]] });
  await postXml(service, message.replace('"ALP"', `"${LONG}"`), LONG.slice(0, 100));
  await postXml(service, `<${LONG}/>`);
  const report = { class: LONG, message: LONG.repeat(6) };
  const headers = { "content-type": "application/json" };
  await service.inject({ method: "POST", url: "/_errors/log", headers, payload: JSON.stringify(report) });
  const unknown = `/${LONG.slice(0, 250)}/${LONG.slice(0, 250)}`;
  await service.inject(unknown);
  await service.errors.flush();
  const { groups } = (await service.inject("/tools/errors?view=groups&format=json")).json<{ groups: { id: number; class: string }[] }>();
  const group = String(groups.find((one) => one.class === "NotFoundException")!.id);
  await service.visitor().post("/tools/errors?view=groups", { action: "resolve", group });
  service.clock.set(service.clock.now() + 1000);
  await service.inject(unknown);
  await service.errors.flush();
}
