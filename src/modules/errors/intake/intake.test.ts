import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";

eachEngine("the error intake", (open) => {
  test("records script errors in every supported format", async () => {
    await using service = await startApp({ database: await open() });
    const stack = "TypeError: x is undefined\n    at save (https://rooms.example/app.js:12:5)";
    const reports = [
      { v: 1, kind: "error", class: "TypeError", message: "x is undefined", stack, file: "https://rooms.example/app.js", line: 12 },
      { type: "TypeError", message: "x is undefined", filename: "https://rooms.example/app.js", lineno: 12, colno: 5 },
      { name: "TypeError", message: "x is undefined", source: "https://rooms.example/app.js", lineNo: "12", handled: false },
      { error: { name: "TypeError", message: "x is undefined", stack }, caught: null },
    ];
    for (const report of reports) assert.equal((await send(service, "log", report)).statusCode, 204);
    const entries = await entriesOf(service);
    assert.equal(entries.length, reports.length);
    for (const { class: name, message, source, caught, detail } of entries) {
      assert.deepEqual([name, message, source, caught], ["TypeError", "x is undefined", "js", false]);
      assert.deepEqual([detail.object.file, detail.object.line], ["https://rooms.example/app.js", 12]);
      assert.match(detail.trace[0]!, /^#0 https:\/\/rooms\.example\/app\.js\(12\): /);
    }
  });

  test("accepts a list of reports that sendBeacon sends as text, and treats reports without class or `handled` as uncaught Errors", async () => {
    await using service = await startApp({ database: await open() });
    const payload = JSON.stringify([{ message: "first" }, { message: "second", handled: true }]);
    const response = await post(service, "log", { type: "text/plain;charset=UTF-8", payload });
    assert.deepEqual([response.statusCode, response.body], [204, ""]);
    const entries = await entriesOf(service);
    const rows = entries.map((entry) => [entry.class, entry.message, entry.caught]);
    assert.deepEqual(rows, [
      ["Error", "second", true],
      ["Error", "first", false],
    ]);
  });

  test("ignores blank classes", async () => {
    await using service = await startApp({ database: await open() });
    await send(service, "log", { message: "x", class: " ", name: "\t", type: "TypeError" });
    await send(service, "log", { message: "x", class: " " });
    const classes = (await entriesOf(service)).map((entry) => entry.class);
    assert.deepEqual(classes, ["Error", "TypeError"]);
  });

  test("takes the user agent and IP address from the request, not from the report", async () => {
    await using service = await startApp({ database: await open() });
    await send(service, "log", { message: "x", userAgent: "Forged", REMOTE_ADDR: "1.1.1.1", token: "s3cr3t" });
    const [entry] = await entriesOf(service);
    assert.equal(entry!.detail.extra.userAgent, "lightMyRequest");
    assert.equal(entry!.detail.server.REMOTE_ADDR, "127.0.0.1");
    assert.ok(!JSON.stringify(entry).includes("s3cr3t"));
  });

  test("records a legacy policy report", async () => {
    await using service = await startApp({ database: await open() });
    const report = {
      "document-uri": "https://rooms.example/rates?from=x",
      "blocked-uri": "https://evil.example/x.js?id=1",
      "violated-directive": "script-src 'self' https://cdn.example",
      "source-file": "https://rooms.example/rates",
      "line-number": 7,
    };
    const payload = JSON.stringify({ "csp-report": report });
    assert.equal((await post(service, "csp", { type: "application/csp-report", payload })).statusCode, 204);
    const [entry] = await entriesOf(service);
    assert.equal(entry!.message, "script-src blocked https://evil.example/x.js on /rates");
    assert.deepEqual([entry!.class, entry!.source, entry!.caught], ["ContentSecurityPolicyViolation", "csp", false]);
    assert.deepEqual([entry!.detail.object.file, entry!.detail.object.line], ["https://rooms.example/rates", 7]);
  });

  test("records a list of Reporting API reports, each with its own time", async () => {
    await using service = await startApp({ database: await open() });
    const body = {
      documentURL: "https://rooms.example/rates",
      blockedURL: "inline",
      effectiveDirective: "style-src-elem",
      lineNumber: null,
    };
    const payload = JSON.stringify([
      { age: 90_000, type: "csp-violation", url: "https://rooms.example/rates", user_agent: "Forged", body },
      { age: 0, type: "deprecation", url: "https://rooms.example/", body: { id: "old", message: "old feature" } },
      { type: "csp-hash", url: "https://rooms.example/", body: { hash: "sha256-x" } },
    ]);
    assert.equal((await post(service, "csp", { type: "application/reports+json", payload })).statusCode, 204);
    const entries = await entriesOf(service);
    assert.deepEqual(
      entries.map((entry) => [START - entry.at, entry.class, entry.message]),
      [
        [0, "csp-hash", '{"hash":"sha256-x"}'],
        [0, "deprecation", "old feature"],
        [90_000, "ContentSecurityPolicyViolation", "style-src-elem blocked inline on /rates"],
      ],
    );
  });

  test("groups violations by directive and blocked origin, regardless of page and script", async () => {
    await using service = await startApp({ database: await open() });
    const reports: readonly (readonly [directive: string, blocked: string, document: string, file?: string])[] = [
      ["script-src-elem", "https://evil.example/a.js?id=1", "/rates", "https://rooms.example/a.js"],
      ["script-src-elem", "https://evil.example/b/c.js", "/property/H1", "https://rooms.example/b.js"],
      ["script-src-elem", "https://evil.example:8443/a.js", "/rates"],
      ["script-src-elem", "https://cdn1.example/a.js", "/rates"],
      ["script-src-elem", "https://cdn2.example/a.js", "/rates"],
      ["img-src", "https://evil.example/a.js", "/rates"],
      ["script-src-elem", "inline", "/rates", "https://rooms.example/a.js"],
      ["script-src-elem", "inline", "/inventories"],
      ["img-src", "moz-extension://4a9c/a.png", "/rates"],
      ["img-src", "moz-extension://4a9c/b.png", "/rates"],
      ["img-src", "", "/rates"],
    ];
    const payload = JSON.stringify(
      reports.map(([effectiveDirective, blockedURL, path, sourceFile]) => {
        const body = { effectiveDirective, blockedURL, documentURL: `https://rooms.example${path}`, sourceFile };
        return { type: "csp-violation", body };
      }),
    );
    assert.equal((await post(service, "csp", { type: "application/reports+json", payload })).statusCode, 204);
    type Groups = { groups: readonly { count: number; groupedBy: { pattern: string } }[] };
    const { groups } = (await service.inject("/tools/errors?view=groups&format=json")).json<Groups>();
    assert.deepEqual(groups.map(({ count, groupedBy }) => `${groupedBy.pattern}: ${count}`).toSorted(), [
      "img-src blocked https://evil.example: 1",
      "img-src blocked moz-extension://4a9c: 2",
      "img-src blocked something: 1",
      "script-src-elem blocked https://cdn1.example: 1",
      "script-src-elem blocked https://cdn2.example: 1",
      "script-src-elem blocked https://evil.example: 2",
      "script-src-elem blocked https://evil.example:8443: 1",
      "script-src-elem blocked inline: 2",
    ]);
  });

  test("stores the valid reports from a list and counts the malformed ones", async () => {
    await using service = await startApp({ database: await open() });
    const violation = { type: "csp-violation", body: { effectiveDirective: "img-src", blockedURL: "https://evil.example/x.png" } };
    const payload = JSON.stringify([{ type: "csp-violation", body: {} }, violation, 7]);
    assert.equal((await post(service, "csp", { type: "application/reports+json", payload })).statusCode, 204);
    assert.equal((await send(service, "log", [{ message: "kept" }, {}])).statusCode, 204);
    const messages = (await entriesOf(service)).map(({ message }) => message);
    assert.deepEqual(messages, ["kept", "img-src blocked https://evil.example/x.png on an unknown page"]);
    await service.errors.flush();
    assert.match((await service.inject("/tools/errors")).body, /malformed reports/);
  });

  test("names a report with an empty body by its type", async () => {
    await using service = await startApp({ database: await open() });
    const payload = JSON.stringify([{ type: "crash", body: {} }, { type: "crash" }]);
    assert.equal((await post(service, "csp", { type: "application/reports+json", payload })).statusCode, 204);
    assert.deepEqual(
      (await entriesOf(service)).map(({ class: name, message }) => [name, message]),
      [
        ["crash", "crash"],
        ["crash", "crash"],
      ],
    );
  });

  test("clamps a report's age to between zero and seven days", async () => {
    await using service = await startApp({ database: await open() });
    const payload = JSON.stringify([-5_000, 1e15].map((age) => ({ age, type: "deprecation", body: { message: String(age) } })));
    assert.equal((await post(service, "csp", { type: "application/reports+json", payload })).statusCode, 204);
    const ages = (await entriesOf(service)).map(({ at, message }) => [message, START - at]);
    assert.deepEqual(ages, [
      ["-5000", 0],
      ["1000000000000000", 7 * 86_400_000],
    ]);
  });

  test("accepts reports from any origin, without credentials or a form token", async () => {
    await using service = await startApp({ database: await open(), settings: { ADMIN_PASSWORD: "a long password" } });
    const headers = { "content-type": "application/json", origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
    const response = await service.inject({ method: "POST", url: "/_errors/log", headers, payload: '{"message":"x"}' });
    assert.equal(response.statusCode, 204);
    assert.equal((await service.inject("/tools/errors")).statusCode, 401);
  });

  test("rejects invalid reports with a reason and records nothing", async () => {
    await using service = await startApp({ database: await open() });
    const many = (count: number, one: unknown) => JSON.stringify(Array.from({ length: count }, () => one));
    const json = "application/json";
    const refusals: readonly (readonly [intake: "log" | "csp", type: string, payload: string, status: number, reason: RegExp])[] = [
      ["log", json, "{", 400, /not valid JSON/],
      ["log", json, "", 400, /empty/],
      ["log", json, "{}", 400, /message: is required/],
      ["log", json, '{"message":""}', 400, /message: is required/],
      ["log", json, '{"message":" \\n"}', 400, /message: is required/],
      ["log", json, '{"message":5}', 400, /message: .*expected string/],
      ["log", json, "[7,{}]", 400, /0: .*expected object/],
      ["log", json, "[]", 400, /empty/],
      ["log", json, "null", 400, /expected object/],
      ["log", json, many(11, { message: "x" }), 413, /up to 10 reports, not 11/],
      ["log", json, JSON.stringify({ message: "x".repeat(65_536) }), 413, /65536 bytes/],
      ["log", "application/xml", "<a/>", 415, /application\/json, text\/plain/],
      ["log", "application/csp-report", "{}", 415, /not 'application\/csp-report'/],
      ["csp", "text/plain", "{}", 415, /application\/reports\+json/],
      ["csp", "application/csp-report", "{}", 400, /type/],
      ["csp", "application/csp-report", '{"csp-report":{}}', 400, /effective-directive: is required/],
      ["csp", "application/csp-report", '{"csp-report":[]}', 400, /expected object/],
      ["csp", "application/reports+json", '[{"type":"csp-violation","body":{}}]', 400, /0\.body\.effectiveDirective: is required/],
      ["csp", "application/reports+json", '[{"type":" ","body":{}}]', 400, /0\.type: /],
      ["csp", "application/reports+json", many(51, { type: "crash", body: {} }), 413, /up to 50 reports, not 51/],
    ];
    for (const [intake, type, payload, status, reason] of refusals) {
      const response = await post(service, intake, { type, payload });
      assert.equal(response.statusCode, status, `${payload.slice(0, 40)}: ${response.body}`);
      assert.match(response.json().error.message, reason);
    }
    assert.equal((await entriesOf(service)).length, 0);
  });

  test("limits the rate of reports and accepts more after the delay in Retry-After", async () => {
    await using service = await startApp({ database: await open() });
    const burst = JSON.stringify(Array.from({ length: 10 }, (_, index) => ({ message: `m${index}` })));
    const statuses: number[] = [];
    for (let round = 0; round < 31; round++) statuses.push((await post(service, "log", { type: "text/plain", payload: burst })).statusCode);
    assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 204), 429]);
    const refused = await post(service, "log", { type: "text/plain", payload: burst });
    const seconds = Number(refused.headers["retry-after"]);
    assert.ok(seconds >= 1 && seconds <= 60);
    service.clock.set(START + seconds * 1_000);
    assert.equal((await send(service, "log", { message: "later" })).statusCode, 204);
  });

  test("limits the total rate across all addresses, even after the clock was set back", async () => {
    await using service = await startApp({ database: await open() });
    const payload = JSON.stringify(Array.from({ length: 10 }, () => ({ message: "m" })));
    const from = async (remoteAddress: string) => {
      const headers = { "content-type": "text/plain" };
      return (await service.inject({ method: "POST", url: "/_errors/log", headers, payload, remoteAddress })).statusCode;
    };
    for (let index = 0; index < 300; index++) assert.equal(await from(`198.51.${index >> 8}.${index & 255}`), 204);
    assert.equal(await from("203.0.113.1"), 429);
    service.clock.set(START - 3_600_000);
    assert.equal(await from("203.0.113.2"), 429);
    service.clock.set(START - 3_600_000 + 1_000);
    assert.equal(await from("203.0.113.3"), 204);
  });

  test("applies the limit per address to a whole IPv6 /64 network", async () => {
    await using service = await startApp({ database: await open() });
    const payload = JSON.stringify(Array.from({ length: 10 }, () => ({ message: "m" })));
    const headers = { "content-type": "text/plain" };
    const from = async (remoteAddress: string) =>
      (await service.inject({ method: "POST", url: "/_errors/log", headers, payload, remoteAddress })).statusCode;
    for (let index = 0; index < 30; index++) assert.equal(await from(`2001:db8:0:1::${index.toString(16)}`), 204);
    assert.equal(await from("2001:db8:0:1:ffff::"), 429);
    assert.equal(await from("2001:db8:0:2::1"), 204);
  });

  test("treats HTTP methods other than POST as an unknown route", async () => {
    await using service = await startApp({ database: await open() });
    for (const method of ["GET", "HEAD", "PUT", "OPTIONS"] as const) {
      assert.equal((await service.inject({ method, url: "/_errors/csp" })).statusCode, 404);
    }
  });

  test("stores NUL, lone surrogates, __proto__, deep nesting and long values safely", async () => {
    await using service = await startApp({ database: await open() });
    const payload = `{"message":"a\\u0000b\\ud800","class":"${"C".repeat(5_000)}","__proto__":{"x":1},"context":${"[".repeat(5_000)}${"]".repeat(5_000)},"stack":"${"s".repeat(20_000)}"}`;
    assert.equal((await post(service, "log", { type: "application/json", payload })).statusCode, 204);
    const [entry] = await entriesOf(service);
    assert.equal(entry!.message, "a\ufffdb\ufffd");
    assert.ok(entry!.class.length < 300);
    assert.ok(JSON.stringify(entry).length < 30_000);
  });

  test("does not decode control characters in a trace", async () => {
    await using service = await startApp({ database: await open() });
    for (const file of ["/a%00b.js", "/a%0A%231%20forged(1):%20f.js", "/my%20app.js"]) {
      const stack = `Error: x\n    at f (file://${file}:1:1)`;
      assert.equal((await send(service, "log", { message: "x", stack })).statusCode, 204);
    }
    const traces = (await entriesOf(service)).map(({ detail }) => detail.trace.join("\n"));
    assert.deepEqual(traces, [
      "#0 /my app.js(1): f\n#1 {main}",
      "#0 file:///a%0A%231%20forged(1):%20f.js(1): f\n#1 {main}",
      "#0 file:///a%00b.js(1): f\n#1 {main}",
    ]);
  });
});

type Post = { type: string; payload: string };

function post(service: TestApp, intake: "log" | "csp", { type, payload }: Post) {
  return service.inject({ method: "POST", url: `/_errors/${intake}`, headers: { "content-type": type }, payload });
}

function send(service: TestApp, intake: "log" | "csp", report: unknown) {
  return post(service, intake, { type: "application/json", payload: JSON.stringify(report) });
}

async function entriesOf({ errors }: TestApp) {
  const { entries } = await errors.list({}, { limit: 100 });
  return Promise.all(entries.map(async ({ id }) => (await errors.find(id))!));
}
