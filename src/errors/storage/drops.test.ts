import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { assertScans } from "../../../test/support/cpu.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { allMessages } from "../../../test/support/error-log.ts";
import type { Database } from "../../db/database.ts";
import { rulePath } from "../describe/ignore.ts";

const DAY_MS = 86_400_000;
const SCANNED = { IGNORE_NOT_FOUND: "*.php, */wp-*,/.env*" };
const NOISY = { IGNORE_CSP_REPORTS: "extensions,about,other-hosts", PUBLIC_URL: "https://rooms.example/rack" };

type LeftOut = { rule: string; count: number; firstAt: string | null; lastAt: string | null };

eachEngine("what the error log leaves out", (open) => {
  test("is nothing, unless a setting says so", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/wp-login.php");
    await report(service, { "document-uri": "about:blank", "blocked-uri": "chrome-extension", "effective-directive": "img-src" });
    assert.equal((await allMessages(service.errors)).length, 2);
    assert.deepEqual(await leftOut(service), []);
    assert.doesNotMatch((await service.inject("/tools/errors")).body, /Not every error/);
  });

  test("is an unknown path that a pattern names, which is answered and counted all the same", async () => {
    await using service = await startApp({ database: await open(), settings: SCANNED });
    for (const path of ["/wp-login.php?a=1", "/OLD/INDEX.PHP", "/blog/wp-content/x.js", "/.env.local"]) {
      const { statusCode, body } = await service.inject(path);
      assert.deepEqual([statusCode, body.includes("Route &#39;GET ")], [404, true], path);
    }
    service.clock.set(START + 5000);
    await service.inject({ method: "POST", url: "/xmlrpc.php" });
    for (const path of ["/phpinfo", "/x/.env", "/php", "/property/wp-x"]) await service.inject(path);
    assert.deepEqual(await allMessages(service.errors), [
      "Property 'wp-x' not found",
      "Route 'GET /php' not found",
      "Route 'GET /x/.env' not found",
      "Route 'GET /phpinfo' not found",
    ]);
    assert.deepEqual(await leftOut(service), [
      { rule: "IGNORE_NOT_FOUND *.php", count: 3, firstAt: "2026-11-20T09:00:00.000Z", lastAt: "2026-11-20T09:00:05.000Z" },
      { rule: "IGNORE_NOT_FOUND */wp-*", count: 1, firstAt: "2026-11-20T09:00:00.000Z", lastAt: "2026-11-20T09:00:00.000Z" },
      { rule: "IGNORE_NOT_FOUND /.env*", count: 1, firstAt: "2026-11-20T09:00:00.000Z", lastAt: "2026-11-20T09:00:00.000Z" },
    ]);
  });

  test("is a report of what an extension, an empty page or another host does", async () => {
    await using service = await startApp({ database: await open(), settings: NOISY });
    const ours = { "document-uri": "https://ROOMS.example/rack/rates", "effective-directive": "img-src", "blocked-uri": "inline" };
    for (const noise of [
      { ...ours, "blocked-uri": "chrome-extension" },
      { ...ours, "source-file": "moz-extension://1f/a.js" },
      { ...ours, "blocked-uri": "about" },
      { ...ours, "document-uri": "about:srcdoc" },
      { ...ours, "document-uri": "https://elsewhere.example/rack/rates" },
    ])
      await report(service, noise);
    await report(service, ours, { ...ours, "blocked-uri": "https://about.example/x" });
    assert.deepEqual(await allMessages(service.errors), [
      "img-src blocked https://about.example/x on /rack/rates",
      "img-src blocked inline on /rack/rates",
    ]);
    assert.deepEqual(
      (await leftOut(service)).map(({ rule, count }) => [rule, count]),
      [
        ["IGNORE_CSP_REPORTS extensions", 2],
        ["IGNORE_CSP_REPORTS about", 2],
        ["IGNORE_CSP_REPORTS other-hosts", 1],
      ],
    );
  });

  test("is judged one by one in a list of the Reporting API, by the host of the request where none is set", async () => {
    await using service = await startApp({ database: await open(), settings: { IGNORE_CSP_REPORTS: "other-hosts,extensions" } });
    const body = { effectiveDirective: "script-src", blockedURL: "eval" };
    const payload = JSON.stringify([
      { type: "csp-violation", url: "http://localhost:80/rates", body },
      { type: "csp-violation", url: "http://localhost:80/rates", body: { ...body, documentURL: "https://elsewhere.example/" } },
      { type: "deprecation", url: "http://elsewhere.example/", body: { message: "old" } },
      { type: "intervention", url: "http://localhost/", body: { message: "slow", sourceFile: "safari-web-extension://x/y.js" } },
      { type: "crash", body: {} },
    ]);
    const headers = { "content-type": "application/reports+json" };
    assert.equal((await service.inject({ method: "POST", url: "/_errors/csp", headers, payload })).statusCode, 204);
    assert.deepEqual(await allMessages(service.errors), ["{}", "script-src blocked eval on /rates"]);
    assert.deepEqual(
      (await leftOut(service)).map(({ count }) => count),
      [2, 1],
    );
  });

  test("is told on both views and among the tools, with each rule", async () => {
    await using service = await startApp({ database: await open(), settings: SCANNED });
    assert.match((await service.inject("/tools/errors")).body, /Not every error is in this log: what a rule leaves out is only counted/);
    for (let time = 0; time < 1200; time++) await service.inject("/a.php");
    for (const view of ["list", "groups"]) {
      const { body } = await service.inject(`/tools/errors?view=${view}&q=nothing`);
      assert.match(body, /Not every error is in this log: 1,200 were left out and only counted/, view);
      assert.match(body, /<code>IGNORE_NOT_FOUND \*\.php<\/code>\s*<\/th>\s*<td[^>]*>1,200<\/td>/, view);
    }
    const groups = (await service.inject("/tools/errors?view=groups&format=json")).json<{ leftOut: LeftOut[] }>();
    assert.deepEqual(groups.leftOut, await leftOut(service));
    assert.match((await service.inject("/tools")).body, /0 in the last 24 hours; 1,200 left out and only counted/);
  });

  test("stays counted when the setting has gone, until nothing was left out for as long as entries are kept", async () => {
    const database = await open();
    {
      await using service = await startApp({ database, settings: SCANNED });
      await service.inject("/a.php");
    }
    await using service = await startApp({ database, settings: { KEEP_ERRORS_DAYS: "30" } });
    assert.deepEqual(
      (await leftOut(service)).map(({ rule, count }) => [rule, count]),
      [["IGNORE_NOT_FOUND *.php", 1]],
    );
    service.clock.set(START + 30 * DAY_MS);
    await service.errors.prune();
    assert.equal((await leftOut(service)).length, 1);
    service.clock.set(START + 30 * DAY_MS + 1);
    await service.errors.prune();
    assert.deepEqual(await leftOut(service), []);
  });

  test("counts the reports that are refused because too many come", async () => {
    await using service = await startApp({ database: await open() });
    const headers = { "content-type": "application/json" };
    const payload = JSON.stringify(Array.from({ length: 7 }, () => ({ message: "m" })));
    const send = () => service.inject({ method: "POST", url: "/_errors/log", headers, payload });
    for (let time = 0; time < 42; time++) assert.equal((await send()).statusCode, 204);
    assert.equal((await send()).statusCode, 429);
    assert.deepEqual(
      (await leftOut(service)).map(({ rule, count }) => [rule, count]),
      [["too many reports", 7]],
    );
  });

  test("is counted by several processes together, and after the database was away", async () => {
    const database = await open();
    await using one = await startApp({ database, settings: SCANNED });
    let away = true;
    const commit: Database["commit"] = (batch) => (away ? Promise.reject(new Error("away")) : database.commit(batch));
    await using other = await startApp({ database: { ...database, commit }, settings: SCANNED });
    await one.inject("/a.php");
    await other.inject("/b.php");
    assert.equal((await leftOut(one))[0]!.count, 1);
    await leftOut(other);
    away = false;
    await other.inject("/c.php");
    assert.equal((await leftOut(other))[0]!.count, 3);
  });
});

test("A pattern is matched in one pass, whatever the path", async () => {
  const pattern = "*a*a*a*a*a*a*a*b";
  const long = "a".repeat(60_000);
  await assertScans(long.length, 1_000, () => assert.equal(rulePath(long, [pattern]), undefined));
  for (const [one, path, found] of [
    ["*", "/x", true],
    ["/a*", "/a", true],
    ["/a*a", "/a", false],
    ["*.php", "/.php", true],
    ["/x", "/x/", false],
    ["*/a/*/b", "/a/b", false],
    ["*/a/*/b", "/z/a/c/b", true],
    ["/a.c", "/abc", false],
  ] as const)
    assert.equal(rulePath(path, [one]) !== undefined, found, `${one} ${path}`);
});

async function leftOut(service: TestApp): Promise<LeftOut[]> {
  return (await service.inject("/tools/errors?format=json")).json<{ leftOut: LeftOut[] }>().leftOut;
}

async function report(service: TestApp, ...reports: Readonly<Record<string, string>>[]): Promise<void> {
  const payload = JSON.stringify(reports.map((one) => ({ "csp-report": one })));
  const headers = { "content-type": "application/json" };
  assert.equal((await service.inject({ method: "POST", url: "/_errors/csp", headers, payload })).statusCode, 204);
}
