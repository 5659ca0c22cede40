import assert from "node:assert/strict";
import dns from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { after, before, mock, test } from "node:test";
import { rootCertificates, setDefaultCACertificates } from "node:tls";
import { Webhook } from "standardwebhooks";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { CERTIFICATE, KEY } from "../../../test/support/certificate.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { makeDataFolder, serve } from "../../../test/support/process.ts";
import { until } from "../../../test/support/until.ts";
import { addressRule } from "../../outgoing/addresses.ts";
import type { CallTarget } from "../../outgoing/post.ts";
import type { GroupChange } from "../entry.ts";
import { changeGroups } from "../storage/group-store.ts";
import { ErrorAlerts } from "./alerts.ts";

const HOUR_MS = 3_600_000;
const SECRET = "webhook secret for tests";
const LOOPBACK = ["127.0.0.1", "::1"];
const SETTINGS = { ERROR_WEBHOOK_URL: "https://hook.test/", ERROR_WEBHOOK_SECRET: "webhook secret for tests" };

type Alert = { reason: string; group: { id: number; class: string; message: string; count: number }; url: string | null };
type Summary = { event: string; count: number; at: string; newest: Alert["group"] & { source: string } };
type Received = { path: string; headers: Record<string, string>; type: string; body: string };

const received: Received[] = [];
let response: "accept" | "reject" | "redirect" | "none" = "accept";
/** Runs before the webhook responds. */
let beforeResponse = async () => {};
let url: URL;

const server = createServer({ cert: CERTIFICATE, key: KEY }, (request, reply) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    const headers = request.headers as Record<string, string>;
    received.push({ path: request.url ?? "", headers, type: headers["content-type"] ?? "", body });
    if (response === "none") return;
    const status = { accept: 204, reject: 500, redirect: 302 }[response];
    void beforeResponse().then(() => reply.writeHead(status, { location: "/elsewhere" }).end());
  });
});

before(async () => {
  // Disables the timer, so that only the tests start rounds.
  mock.timers.enable({ apis: ["setInterval"] });
  setDefaultCACertificates([CERTIFICATE]);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/errors?of=us`);
});
after(() => {
  mock.timers.reset();
  server.closeAllConnections();
  server.close();
});

function takeAlerts(): Alert[] {
  return received.splice(0).map(({ body }) => JSON.parse(body) as Alert);
}

function alertsOf(service: TestApp, more: Partial<CallTarget> = {}) {
  const webhook = { url, secrets: [SECRET], rule: addressRule(LOOPBACK), ...more };
  const warnings: string[] = [];
  const log = { warn: (_facts: object, message: string) => warnings.push(message) };
  const alerts = new ErrorAlerts({
    database: service.database,
    clock: service.clock,
    webhook,
    log,
    publicUrl: "https://rooms.example/rack/",
  });
  return { warnings, run: () => service.errors.flush().then(() => alerts.run()), close: () => alerts.close() };
}

eachEngine("the error webhook", (open) => {
  const start = async () => {
    received.length = 0;
    response = "accept";
    return startApp({ database: await open(), settings: SETTINGS });
  };
  const change = async (service: TestApp, made: GroupChange) => {
    const { groups } = await service.errors.listGroups({}, { order: "last", after: undefined, limit: 1 });
    await changeGroups(service.database, [groups[0]!.id], { change: made, by: { actor: "test", at: service.clock.now() } });
  };

  test("the error webhook receives one signed alert without secrets for a new group", async (t) => {
    await using service = await start();
    const alerts = alertsOf(service);
    await service.inject("/no/such?token=hunter2secret");
    await service.inject("/no/such/other");
    await alerts.run();
    await alerts.run();
    assert.equal(received.length, 1);
    const [{ path, headers, type, body }] = received as [Received];
    assert.deepEqual([path, type], ["/errors?of=us", "application/json; charset=utf-8"]);
    t.mock.method(Date, "now", () => START);
    assert.deepEqual(new Webhook(SECRET, { format: "raw" }).verify(body, headers), JSON.parse(body));
    t.mock.restoreAll();
    assert.doesNotMatch(body, /hunter2/);
    const [alert] = takeAlerts();
    const { entries } = await service.errors.list({}, { limit: 1 });
    assert.deepEqual(
      [alert!.reason, alert!.group.class, alert!.group.message, alert!.group.count, alert!.url],
      ["new", "NotFoundException", "Route 'GET /no/such/other' not found", 2, `https://rooms.example/rack/tools/errors/${entries[0]!.id}`],
    );
    assert.deepEqual(alerts.warnings, []);
    await alerts.close();
  });

  test("the error webhook is notified of regressed groups and exceeded mute limits, at most once an hour", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    const errorAt = async (at: number) => {
      service.clock.set(at);
      await service.inject("/again");
      await alerts.run();
      return takeAlerts().map(({ reason }) => reason);
    };
    assert.deepEqual(await errorAt(START), ["new"]);
    await change(service, { state: "resolved", label: "resolved" });
    assert.deepEqual(await errorAt(START + HOUR_MS - 1), [], "within the hour");
    assert.deepEqual(await errorAt(START + HOUR_MS), ["regressed"]);
    await change(service, { state: "muted", label: "muted", until: undefined, above: 1 });
    assert.deepEqual(await errorAt(START + 3 * HOUR_MS), []);
    assert.deepEqual(await errorAt(START + 3 * HOUR_MS + 1), ["louder"]);
    await change(service, { state: "muted", label: "muted", until: START + 5 * HOUR_MS, above: undefined });
    assert.deepEqual(await errorAt(START + 6 * HOUR_MS), [], "a mute that expires");
    await alerts.close();
  });

  test("if a group regresses while the error webhook is being called, the webhook is notified an hour later", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    beforeResponse = async () => {
      await change(service, { state: "resolved", label: "resolved" });
      service.clock.set(START + 1);
      await service.inject("/again");
      await service.errors.flush();
    };
    await service.inject("/again");
    await alerts.run();
    beforeResponse = async () => {};
    service.clock.set(START + HOUR_MS);
    await alerts.run();
    assert.deepEqual(
      takeAlerts().map(({ reason }) => reason),
      ["new", "regressed"],
    );
    await alerts.close();
  });

  test("the error webhook receives each group once if several processes are running", async () => {
    await using service = await start();
    await service.inject("/once");
    const processes = Array.from({ length: 4 }, () => alertsOf(service));
    await Promise.all(processes.map((alerts) => alerts.run()));
    assert.equal(takeAlerts().length, 1);
    await Promise.all(processes.map((alerts) => alerts.close()));
  });

  test("the error webhook receives an alert an hour later if the process dies while sending it", async () => {
    await using service = await start();
    const [crashed, other] = [alertsOf(service), alertsOf(service)];
    response = "none";
    await service.inject("/dying");
    const run = crashed.run();
    await until("a call", () => received.length > 0);
    received.length = 0;
    response = "accept";
    await other.run();
    assert.deepEqual(takeAlerts(), [], "within the hour");
    service.clock.set(START + HOUR_MS);
    await other.run();
    assert.equal(takeAlerts().length, 1);
    await crashed.close();
    await run;
    service.clock.set(START + 2 * HOUR_MS);
    await other.run();
    assert.deepEqual(takeAlerts(), [], "after it was sent");
    await other.close();
  });

  test("the error webhook is called at most ten times in a burst, then every six seconds with a summary", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    const kinds = async (first: number, count: number) => {
      const payload = (kind: number) => JSON.stringify({ class: `Kind${String.fromCodePoint(65 + kind)}`, message: "x" });
      for (let kind = first; kind < first + count; kind++) {
        const headers = { "content-type": "application/json" };
        await service.inject({ method: "POST", url: "/_errors/log", headers, payload: payload(kind) });
      }
      await alerts.run();
      return received.splice(0).map(({ body }) => JSON.parse(body) as Alert & Summary);
    };
    assert.equal((await kinds(0, 9)).length, 9, "one call each");
    service.clock.set(START + 1000);
    const [summary, ...more] = await kinds(9, 12);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [summary!.event, summary!.count, summary!.url, summary!.at],
      ["error-groups", 12, "https://rooms.example/rack/tools/errors?view=groups", "2026-11-20T09:00:01.000Z"],
    );
    assert.deepEqual([summary!.newest.source, summary!.newest.message, summary!.newest.count], ["js", "x", 1]);
    assert.deepEqual(await kinds(21, 3), [], "while the rate limit applies");
    assert.deepEqual(await kinds(24, 20), []);
    service.clock.set(START + 6000);
    assert.deepEqual(
      (await kinds(44, 0)).map(({ event, count }) => [event, count]),
      [["error-groups", 23]],
    );
    service.clock.set(START + 120_000);
    assert.deepEqual(await kinds(44, 0), [], "each group was sent once");
    await alerts.close();
  });

  test("the error webhook is called ten times for ten groups, but once for eleven", async () => {
    for (const [groups, calls] of [
      [10, 10],
      [11, 1],
    ] as const) {
      await using service = await start();
      const alerts = alertsOf(service);
      const kinds = Array.from({ length: groups }, (_, kind) => ({ class: `Kind${String.fromCodePoint(65 + kind)}`, message: "x" }));
      const headers = { "content-type": "application/json" };
      for (const payload of kinds) await service.inject({ method: "POST", url: "/_errors/log", headers, payload });
      await alerts.run();
      assert.equal(received.splice(0).length, calls);
      await alerts.close();
    }
  });

  test("the error webhook receives all groups again an hour after it rejects a summary", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    for (let kind = 0; kind < 11; kind++)
      await service.inject({
        method: "POST",
        url: "/_errors/log",
        headers: { "content-type": "application/json" },
        payload: JSON.stringify({ class: `Kind${String.fromCodePoint(65 + kind)}`, message: "x" }),
      });
    response = "reject";
    await alerts.run();
    assert.equal(received.splice(0).length, 1);
    assert.match(alerts.warnings.splice(0).join("\n"), /returned 500/);
    response = "accept";
    service.clock.set(START + HOUR_MS - 1);
    await alerts.run();
    assert.equal(received.length, 0);
    service.clock.set(START + HOUR_MS);
    await alerts.run();
    assert.deepEqual(
      received.splice(0).map(({ body }) => (JSON.parse(body) as Summary).count),
      [11],
    );
    await alerts.close();
  });

  test("the error webhook is retried an hour after it rejects an alert, and the rejection is logged", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    for (const [kind, fault] of [
      ["reject", /localhost:\d+ returned 500/],
      ["redirect", /localhost:\d+ returned 302/],
    ] as const) {
      response = kind;
      await service.inject("/failed");
      await alerts.run();
      assert.equal(takeAlerts().length, 1, "does not follow redirects");
      assert.match(alerts.warnings.splice(0).join("\n"), fault);
      await alerts.run();
      assert.equal(takeAlerts().length, 0);
      service.clock.set(service.clock.now() + HOUR_MS);
    }
    response = "accept";
    await alerts.run();
    assert.deepEqual(
      takeAlerts().map(({ reason }) => reason),
      ["new"],
    );
    await alerts.close();
  });

  test("the error webhook is not called if its address is not allowed", async () => {
    await using service = await start();
    for (const [more, fault] of [
      [{ rule: addressRule([]) }, /localhost resolves to (127\.0\.0\.1|::1), which is not a public address/],
      [{ rule: addressRule([]), url: new URL(`https://127.0.0.1:${url.port}/`) }, /127\.0\.0\.1 resolves to 127\.0\.0\.1/],
      [{ rule: addressRule([]), url: new URL(`https://[::1]:${url.port}/`) }, /resolves to ::1, which is not a public address/],
    ] as const) {
      const alerts = alertsOf(service, more);
      await service.inject("/unknown");
      await alerts.run();
      assert.match(alerts.warnings.join("\n"), fault);
      service.clock.set(service.clock.now() + HOUR_MS);
      await alerts.close();
    }
    assert.equal(takeAlerts().length, 0);
  });

  test("the error webhook is not called if one of several addresses is not allowed", async (t) => {
    const found = ["127.0.0.1", "10.0.0.1"].map((address) => ({ address, family: 4 }));
    t.mock.method(dns, "lookup", async () => found);
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    await using service = await start();
    const alerts = alertsOf(service);
    await service.inject("/unknown");
    await alerts.run();
    assert.match(alerts.warnings.join("\n"), /localhost resolves to 10\.0\.0\.1, which is not a public address/);
    assert.equal(takeAlerts().length, 0);
    await alerts.close();
  });

  test("the error webhook is not called if its certificate is not trusted", async (t) => {
    setDefaultCACertificates(rootCertificates);
    t.after(() => setDefaultCACertificates([CERTIFICATE]));
    await using service = await start();
    const alerts = alertsOf(service);
    await service.inject("/unknown");
    await alerts.run();
    assert.match(alerts.warnings.join("\n"), /certificate/);
    assert.equal(takeAlerts().length, 0);
    await alerts.close();
  });

  test("an unresponsive error webhook delays neither recording nor shutdown", async (t) => {
    t.mock.method(AbortSignal, "timeout", () => new AbortController().signal);
    await using service = await start();
    const alerts = alertsOf(service);
    response = "none";
    await service.inject("/held");
    const run = alerts.run();
    await service.inject("/meanwhile");
    assert.equal((await service.errors.list({}, { limit: 5 })).entries.length, 2);
    await alerts.close();
    await run;
  });
});

test("the error webhook is retried an hour after it fails to respond in time", async (t) => {
  const late = new AbortController();
  const limit = t.mock.method(AbortSignal, "timeout", () => late.signal);
  await using service = await startApp({ settings: SETTINGS });
  const alerts = alertsOf(service);
  await service.inject("/failed");
  received.length = 0;
  response = "none";
  const run = alerts.run();
  await until("a call", () => received.length > 0);
  late.abort();
  await run;
  assert.equal(takeAlerts().length, 1);
  assert.deepEqual(limit.mock.calls[0]!.arguments, [5_000]);
  assert.match(alerts.warnings.join("\n"), /no response within 5 seconds/);
  t.mock.restoreAll();
  response = "accept";
  service.clock.set(START + HOUR_MS);
  await alerts.run();
  assert.equal(takeAlerts().length, 1);
  await alerts.close();
});

test("no alerts become due without an error webhook", async () => {
  await using service = await startApp();
  await service.inject("/unknown");
  await service.errors.flush();
  const alerts = alertsOf(service);
  received.length = 0;
  await alerts.run();
  assert.equal(received.length, 0);
  await alerts.close();
});

test("a service refuses to call a webhook on its own machine and logs the refusal", async () => {
  const port = url.port;
  const service = await serve({
    DATA_DIR: makeDataFolder(),
    ERROR_WEBHOOK_URL: `https://localhost:${port}/`,
    ERROR_WEBHOOK_SECRET: SECRET,
  });
  received.length = 0;
  await fetch(`${service.origin}/unknown`);
  await until("a line in the log", () => service.output().includes("webhook"));
  const { output, code } = await service.stop();
  assert.equal(code, 0);
  assert.match(output, /"msg":"error webhook failed: localhost resolves to [^"]+, which is not a public address"/);
  assert.equal(received.length, 0);
});
