import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../test/support/app.ts";
import { assertScans } from "../../test/support/cpu.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { allMessages } from "../../test/support/error-log.ts";
import type { Database } from "../db/database.ts";
import { matchPathRule } from "./rules.ts";

const DAY_MS = 86_400_000;
const IGNORE_PATHS = { IGNORE_NOT_FOUND: "*.php, */wp-*,/.env*" };
const IGNORE_REPORTS = { IGNORE_CSP_REPORTS: "extensions,about,other-hosts", PUBLIC_URL: "https://rooms.example/rack" };

type Skipped = { rule: string; count: number; firstAt: string | null; lastAt: string | null };

eachEngine("the error log", (open) => {
  test("records every error by default", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/wp-login.php");
    await report(service, { "document-uri": "about:blank", "blocked-uri": "chrome-extension", "effective-directive": "img-src" });
    assert.equal((await allMessages(service.errors)).length, 2);
    assert.deepEqual(await skipped(service), []);
    assert.doesNotMatch((await service.inject("/tools/errors")).body, /incomplete|skips errors/);
  });

  test("counts requests for ignored paths without recording them", async () => {
    await using service = await startApp({ database: await open(), settings: IGNORE_PATHS });
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
    assert.deepEqual(await skipped(service), [
      { rule: "IGNORE_NOT_FOUND *.php", count: 3, firstAt: "2026-11-20T09:00:00.000Z", lastAt: "2026-11-20T09:00:05.000Z" },
      { rule: "IGNORE_NOT_FOUND */wp-*", count: 1, firstAt: "2026-11-20T09:00:00.000Z", lastAt: "2026-11-20T09:00:00.000Z" },
      { rule: "IGNORE_NOT_FOUND /.env*", count: 1, firstAt: "2026-11-20T09:00:00.000Z", lastAt: "2026-11-20T09:00:00.000Z" },
    ]);
  });

  test("ignores reports that come from extensions, about: pages or other hosts", async () => {
    await using service = await startApp({ database: await open(), settings: IGNORE_REPORTS });
    const ownReport = { "document-uri": "https://ROOMS.example/rack/rates", "effective-directive": "img-src", "blocked-uri": "inline" };
    for (const ignored of [
      { ...ownReport, "blocked-uri": "chrome-extension" },
      { ...ownReport, "source-file": "moz-extension://1f/a.js" },
      { ...ownReport, "blocked-uri": "about" },
      { ...ownReport, "document-uri": "about:srcdoc" },
      { ...ownReport, "document-uri": "https://elsewhere.example/rack/rates" },
    ])
      await report(service, ignored);
    await report(service, ownReport, { ...ownReport, "blocked-uri": "https://about.example/x" });
    assert.deepEqual(await allMessages(service.errors), [
      "img-src blocked https://about.example/x on /rack/rates",
      "img-src blocked inline on /rack/rates",
    ]);
    assert.deepEqual(
      (await skipped(service)).map(({ rule, count }) => [rule, count]),
      [
        ["IGNORE_CSP_REPORTS extensions", 2],
        ["IGNORE_CSP_REPORTS about", 2],
        ["IGNORE_CSP_REPORTS other-hosts", 1],
      ],
    );
  });

  test("applies rules to each report in a list, using the request's host if PUBLIC_URL is not set", async () => {
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
    assert.deepEqual(await allMessages(service.errors), ["crash", "script-src blocked eval on /rates"]);
    assert.deepEqual(
      (await skipped(service)).map(({ count }) => count),
      [2, 1],
    );
  });

  test("reports skipped errors by rule in both views and on the tools page", async () => {
    await using service = await startApp({ database: await open(), settings: IGNORE_PATHS });
    assert.match((await service.inject("/tools/errors")).body, /This log skips errors that match a rule\. None have been skipped so far\./);
    for (let time = 0; time < 1200; time++) await service.inject("/a.php");
    for (const view of ["list", "groups"]) {
      const { body } = await service.inject(`/tools/errors?view=${view}&q=nothing`);
      assert.match(body, /This log is incomplete: 1,200 errors were skipped/, view);
      assert.match(body, /<code>IGNORE_NOT_FOUND \*\.php<\/code>\s*<\/th>\s*<td[^>]*>1,200<\/td>/, view);
    }
    const groups = (await service.inject("/tools/errors?view=groups&format=json")).json<{ leftOut: Skipped[] }>();
    assert.deepEqual(groups.leftOut, await skipped(service));
    assert.match((await service.inject("/tools")).body, /0 in the last 24 hours; 1,200 skipped/);
  });

  test("keeps the counts of a removed rule for as long as error entries are kept", async () => {
    const database = await open();
    {
      await using service = await startApp({ database, settings: IGNORE_PATHS });
      await service.inject("/a.php");
    }
    await using service = await startApp({ database, settings: { KEEP_ERRORS_DAYS: "30" } });
    assert.deepEqual(
      (await skipped(service)).map(({ rule, count }) => [rule, count]),
      [["IGNORE_NOT_FOUND *.php", 1]],
    );
    service.clock.set(START + 30 * DAY_MS);
    await service.errors.prune();
    assert.equal((await skipped(service)).length, 1);
    service.clock.set(START + 30 * DAY_MS + 1);
    await service.errors.prune();
    assert.deepEqual(await skipped(service), []);
  });

  test("counts reports that exceed the rate limit", async () => {
    await using service = await startApp({ database: await open() });
    const headers = { "content-type": "application/json" };
    const payload = JSON.stringify(Array.from({ length: 7 }, () => ({ message: "m" })));
    const send = () => service.inject({ method: "POST", url: "/_errors/log", headers, payload });
    for (let time = 0; time < 42; time++) assert.equal((await send()).statusCode, 204);
    assert.equal((await send()).statusCode, 429);
    assert.deepEqual(
      (await skipped(service)).map(({ rule, count }) => [rule, count]),
      [["too many reports", 7]],
    );
  });

  test("adds up the counts of several processes, including those from a database outage", async () => {
    const database = await open();
    await using one = await startApp({ database, settings: IGNORE_PATHS });
    let unavailable = true;
    const commit: Database["commit"] = (batch) => (unavailable ? Promise.reject(new Error("unavailable")) : database.commit(batch));
    await using other = await startApp({ database: { ...database, commit }, settings: IGNORE_PATHS });
    await one.inject("/a.php");
    await other.inject("/b.php");
    assert.equal((await skipped(one))[0]!.count, 1);
    await skipped(other);
    unavailable = false;
    await other.inject("/c.php");
    assert.equal((await skipped(other))[0]!.count, 3);
  });
});

test("matches a pattern against any path in one pass", async () => {
  const pattern = "*a*a*a*a*a*a*a*b";
  const long = "a".repeat(60_000);
  await assertScans(long.length, 1_000, () => assert.equal(matchPathRule(long, [pattern]), undefined));
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
    assert.equal(matchPathRule(path, [one]) !== undefined, found, `${one} ${path}`);
});

async function skipped(service: TestApp): Promise<Skipped[]> {
  return (await service.inject("/tools/errors?format=json")).json<{ leftOut: Skipped[] }>().leftOut;
}

async function report(service: TestApp, ...reports: Readonly<Record<string, string>>[]): Promise<void> {
  const payload = JSON.stringify(reports.map((one) => ({ "csp-report": one })));
  const headers = { "content-type": "application/json" };
  assert.equal((await service.inject({ method: "POST", url: "/_errors/csp", headers, payload })).statusCode, 204);
}
