import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { openContext } from "../../../test/support/browser.ts";
import { until } from "../../../test/support/until.ts";
import type { ErrorEntry } from "../../errors/entry.ts";

test("a page reports uncaught errors and unhandled rejections with stacks but without query strings", async () => {
  await inBrowser(async (service, page) => {
    await page.evaluate(`
      setTimeout(() => {
        throw new TypeError("planted");
      });
      setTimeout(() => Promise.reject(new RangeError("unkept")));
    `);
    const [first, second] = (await reports(service, "js", 2)).toSorted((a, b) => a.class.localeCompare(b.class));
    assert.deepEqual([first!.class, first!.message, first!.caught], ["RangeError", "unkept", false]);
    assert.deepEqual([second!.class, second!.message, second!.caught], ["TypeError", "planted", false]);
    assert.ok(second!.detail.trace.length > 1);
    const report = second!.detail.extra.report as Record<string, unknown>;
    assert.match(String(report.url), /\/tools\/errors$/);
  });
});

test("a page reports rejections with any kind of reason", async () => {
  await inBrowser(async (service, page) => {
    await page.evaluate(`
      const reasons = ["", undefined, Object.assign(new Error(), { message: { code: 7 }, name: 3 })];
      setTimeout(() => reasons.forEach((reason) => Promise.reject(reason)));
    `);
    const found = await reports(service, "js", 3);
    assert.deepEqual(found.map((entry) => [entry.class, entry.message]).toSorted(), [
      ["3", '{"code":7}'],
      ["Error", "A value without text was thrown"],
      ["Error", "undefined"],
    ]);
  });
});

test("a page reports a file that fails to load", async () => {
  await inBrowser(async (service, page) => {
    await page.evaluate(`
      const image = new Image();
      image.src = "/assets/missing.png?private=1";
      document.body.append(image);
    `);
    const [report] = await reports(service, "js", 1);
    assert.equal(report!.class, "ResourceError");
    assert.match(report!.message, /^img could not be loaded: http:\/\/127\.0\.0\.1:\d+\/assets\/missing\.png$/);
  });
});

test("a page reports at most ten errors, each only once, and none from extensions or other origins", async () => {
  await inBrowser(async (service, page) => {
    const sent: string[] = [];
    page.on("request", (request) => request.url().endsWith("/_errors/log") && sent.push(request.url()));
    await page.evaluate(`
      const fail = (message, filename = "https://rooms.example/a.js", lineno = 3) =>
        dispatchEvent(new ErrorEvent("error", { message, filename, lineno, error: undefined }));
      fail("from an extension", "chrome-extension://abcdef/content.js");
      fail("Script error.", "", 0);
      for (let index = 0; index < 3; index++) fail("the same");
      for (let index = 0; index < 20; index++) fail("number " + index);
    `);
    const all = await reports(service, "js", 10);
    await page.reload();
    assert.equal(sent.length, 10);
    const expected = ["the same", ...Array.from({ length: 9 }, (_, index) => `number ${index}`)];
    assert.deepEqual(all.map((entry) => entry.message).toSorted(), expected.toSorted());
  });
});

test("a long report is truncated", async () => {
  await inBrowser(async (service, page) => {
    await page.evaluate(`
      const error = new Error("é".repeat(30_000));
      error.stack = "Error: long\\n" + "    at f (https://rooms.example/a.js?x=1:1:1)\\n".repeat(3_000);
      dispatchEvent(new ErrorEvent("error", { message: error.message, filename: "a.js", error }));
    `);
    const [report] = await reports(service, "js", 1);
    assert.ok(Number(report!.detail.server.HTTP_CONTENT_LENGTH) <= 16_000);
    assert.match(report!.detail.trace[0]!, /^#0 https:\/\/rooms\.example\/a\.js\(1\): f$/);
  });
});

test("a page blocks content from other origins, and the browser reports it", async () => {
  await inBrowser(async (service, page) => {
    await page.evaluate(`
      const image = new Image();
      image.src = "https://evil.invalid/spy.png?who=1";
      document.body.append(image);
    `);
    const [report] = await reports(service, "csp", 1);
    assert.equal(report!.class, "ContentSecurityPolicyViolation");
    assert.match(report!.message, /^img-src blocked https:\/\/evil\.invalid\/spy\.png on \/tools\/errors$/);
  });
});

/** Opens the error log in a real browser, with a private query. */
async function inBrowser(work: (service: TestApp, page: Page) => Promise<void>): Promise<void> {
  await using service = await startApp();
  const address = await service.listen();
  const context = await openContext();
  try {
    const page = await context.newPage();
    await page.goto(`${address}/tools/errors?q=private`);
    await work(service, page);
  } finally {
    await context.close();
  }
}

/** Waits for `count` reports. Returns them newest first. */
async function reports({ errors }: TestApp, source: "js" | "csp", count: number): Promise<ErrorEntry[]> {
  const arrived = await until(`${count} reports`, async () => {
    const { entries } = await errors.list({ source }, { limit: 100 });
    return entries.length >= count && entries;
  });
  return Promise.all(arrived.map(async ({ id }) => (await errors.find(id))!));
}
