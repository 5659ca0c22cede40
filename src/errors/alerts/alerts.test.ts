import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import dns from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { after, before, mock, test } from "node:test";
import { rootCertificates, setDefaultCACertificates } from "node:tls";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { CERTIFICATE, KEY } from "../../../test/support/certificate.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { makeDataFolder, serve } from "../../../test/support/process.ts";
import { until } from "../../../test/support/until.ts";
import type { GroupChange } from "../storage/group.ts";
import { changeGroups } from "../storage/state-store.ts";
import { Alerts } from "./alerts.ts";
import { isGlobalAddress } from "./global-address.ts";
import type { Webhook } from "./webhook.ts";

const HOUR_MS = 3_600_000;
const SECRET = "a secret of the tests";
const LOOPBACK = ["127.0.0.1", "::1"];
const SETTINGS = { ERROR_WEBHOOK_URL: "https://hook.test/", ERROR_WEBHOOK_SECRET: "a secret of the test" };

type Alert = { reason: string; group: { id: number; class: string; message: string; count: number }; url: string | null };
type Summary = { event: string; count: number; at: string; newest: Alert["group"] & { source: string } };
type Taken = { path: string; signature: string; type: string; body: string };

const taken: Taken[] = [];
let answer: "take" | "refuse" | "redirect" | "nothing" = "take";
/** What goes on while the webhook is told. */
let meanwhile = async () => {};
let url: URL;

const server = createServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    const { "roomrack-signature": signature, "content-type": type = "" } = request.headers;
    taken.push({ path: request.url ?? "", signature: String(signature), type, body });
    if (answer === "nothing") return;
    const status = { take: 204, refuse: 500, redirect: 302 }[answer];
    void meanwhile().then(() => response.writeHead(status, { location: "/elsewhere" }).end());
  });
});

before(async () => {
  // A round comes only when a test asks for one.
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

/** What a run of the tests was told, and what the process log says of those that failed. */
function told(): Alert[] {
  return taken.splice(0).map(({ body }) => JSON.parse(body) as Alert);
}

function alertsOf(service: TestApp, more: Partial<Webhook> = {}) {
  const webhook = { url, secret: SECRET, isAllowed: (address: string) => LOOPBACK.includes(address), ...more };
  const warnings: string[] = [];
  const log = { warn: (_facts: object, message: string) => warnings.push(message) };
  const alerts = new Alerts({ database: service.database, clock: service.clock, webhook, log, publicUrl: "https://rooms.example/rack/" });
  return { warnings, run: () => service.errors.flush().then(() => alerts.run()), close: () => alerts.close() };
}

eachEngine("the webhook of the error log", (open) => {
  const start = async () => {
    taken.length = 0;
    answer = "take";
    return startApp({ database: await open(), settings: SETTINGS });
  };
  const change = async (service: TestApp, made: GroupChange) => {
    const { groups } = await service.errors.listGroups({}, { order: "last", after: undefined, limit: 1 });
    await changeGroups(service.database, [groups[0]!.id], { change: made, actor: "test", at: service.clock.now() });
  };

  test("is told of a new group once, signed, without what is secret", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    await service.inject("/no/such?token=hunter2secret");
    await service.inject("/no/such/other");
    await alerts.run();
    await alerts.run();
    assert.equal(taken.length, 1);
    const [{ path, signature, type, body }] = taken as [Taken];
    assert.deepEqual([path, type], ["/errors?of=us", "application/json; charset=utf-8"]);
    const mac = createHmac("sha256", SECRET)
      .update(`${START / 1000}.${body}`)
      .digest("hex");
    assert.equal(signature, `t=${START / 1000},v1=${mac}`);
    assert.doesNotMatch(body, /hunter2/);
    const [alert] = told();
    const { entries } = await service.errors.list({}, { limit: 1 });
    assert.deepEqual(
      [alert!.reason, alert!.group.class, alert!.group.message, alert!.group.count, alert!.url],
      ["new", "NotFoundException", "Route 'GET /no/such/other' not found", 2, `https://rooms.example/rack/tools/errors/${entries[0]!.id}`],
    );
    assert.deepEqual(alerts.warnings, []);
    await alerts.close();
  });

  test("is told of one that comes again and of one that was muted for less, at most once an hour", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    const come = async (at: number) => {
      service.clock.set(at);
      await service.inject("/again");
      await alerts.run();
      return told().map(({ reason }) => reason);
    };
    assert.deepEqual(await come(START), ["new"]);
    await change(service, { state: "resolved", words: "resolved" });
    assert.deepEqual(await come(START + HOUR_MS - 1), [], "within the hour");
    assert.deepEqual(await come(START + HOUR_MS), ["regressed"]);
    await change(service, { state: "muted", words: "muted", until: undefined, above: 1 });
    assert.deepEqual(await come(START + 3 * HOUR_MS), []);
    assert.deepEqual(await come(START + 3 * HOUR_MS + 1), ["louder"]);
    await change(service, { state: "muted", words: "muted", until: START + 5 * HOUR_MS, above: undefined });
    assert.deepEqual(await come(START + 6 * HOUR_MS), [], "a mute that ends by its time");
    await alerts.close();
  });

  test("is told an hour later of one that came again while it was told of it", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    meanwhile = async () => {
      await change(service, { state: "resolved", words: "resolved" });
      service.clock.set(START + 1);
      await service.inject("/again");
      await service.errors.flush();
    };
    await service.inject("/again");
    await alerts.run();
    meanwhile = async () => {};
    service.clock.set(START + HOUR_MS);
    await alerts.run();
    assert.deepEqual(
      told().map(({ reason }) => reason),
      ["new", "regressed"],
    );
    await alerts.close();
  });

  test("is told once, however many processes there are", async () => {
    await using service = await start();
    await service.inject("/once");
    const processes = Array.from({ length: 4 }, () => alertsOf(service));
    await Promise.all(processes.map((alerts) => alerts.run()));
    assert.equal(told().length, 1);
    await Promise.all(processes.map((alerts) => alerts.close()));
  });

  test("is told an hour later of what a process that died was telling", async () => {
    await using service = await start();
    const [died, other] = [alertsOf(service), alertsOf(service)];
    answer = "nothing";
    await service.inject("/dying");
    const run = died.run();
    await until("a call", () => taken.length > 0);
    taken.length = 0;
    answer = "take";
    await other.run();
    assert.deepEqual(told(), [], "within the hour");
    service.clock.set(START + HOUR_MS);
    await other.run();
    assert.equal(told().length, 1);
    await died.close();
    await run;
    service.clock.set(START + 2 * HOUR_MS);
    await other.run();
    assert.deepEqual(told(), [], "once it was told");
    await other.close();
  });

  test("is called ten times at once and then every six seconds at most, and told together of what would be more", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    const kinds = async (first: number, count: number) => {
      const payload = (kind: number) => JSON.stringify({ class: `Kind${String.fromCodePoint(65 + kind)}`, message: "x" });
      for (let kind = first; kind < first + count; kind++) {
        const headers = { "content-type": "application/json" };
        await service.inject({ method: "POST", url: "/_errors/log", headers, payload: payload(kind) });
      }
      await alerts.run();
      return taken.splice(0).map(({ body }) => JSON.parse(body) as Alert & Summary);
    };
    assert.equal((await kinds(0, 9)).length, 9, "each by a call of its own");
    service.clock.set(START + 1000);
    const [summary, ...more] = await kinds(9, 12);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [summary!.event, summary!.count, summary!.url, summary!.at],
      ["error-groups", 12, "https://rooms.example/rack/tools/errors?view=groups", "2026-11-20T09:00:01.000Z"],
    );
    assert.deepEqual([summary!.newest.source, summary!.newest.message, summary!.newest.count], ["js", "x", 1]);
    assert.deepEqual(await kinds(21, 3), [], "until the minute has room again");
    assert.deepEqual(await kinds(24, 20), []);
    service.clock.set(START + 6000);
    assert.deepEqual(
      (await kinds(44, 0)).map(({ event, count }) => [event, count]),
      [["error-groups", 23]],
    );
    service.clock.set(START + 120_000);
    assert.deepEqual(await kinds(44, 0), [], "each group was told of once");
    await alerts.close();
  });

  test("is called for each of ten groups, and once for eleven", async () => {
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
      assert.equal(taken.splice(0).length, calls);
      await alerts.close();
    }
  });

  test("is tried again with all groups after an hour when it does not take what it is told of them together", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    for (let kind = 0; kind < 11; kind++)
      await service.inject({
        method: "POST",
        url: "/_errors/log",
        headers: { "content-type": "application/json" },
        payload: JSON.stringify({ class: `Kind${String.fromCodePoint(65 + kind)}`, message: "x" }),
      });
    answer = "refuse";
    await alerts.run();
    assert.equal(taken.splice(0).length, 1);
    assert.match(alerts.warnings.splice(0).join("\n"), /answered 500/);
    answer = "take";
    service.clock.set(START + HOUR_MS - 1);
    await alerts.run();
    assert.equal(taken.length, 0);
    service.clock.set(START + HOUR_MS);
    await alerts.run();
    assert.deepEqual(
      taken.splice(0).map(({ body }) => (JSON.parse(body) as Summary).count),
      [11],
    );
    await alerts.close();
  });

  test("is tried again after an hour when it does not take what it is told, and the process log says so", async () => {
    await using service = await start();
    const alerts = alertsOf(service);
    for (const [how, fault] of [
      ["refuse", /localhost:\d+ answered 500/],
      ["redirect", /localhost:\d+ answered 302/],
    ] as const) {
      answer = how;
      await service.inject("/failed");
      await alerts.run();
      assert.equal(told().length, 1, "and no redirect is followed");
      assert.match(alerts.warnings.splice(0).join("\n"), fault);
      await alerts.run();
      assert.equal(told().length, 0);
      service.clock.set(service.clock.now() + HOUR_MS);
    }
    answer = "take";
    await alerts.run();
    assert.deepEqual(
      told().map(({ reason }) => reason),
      ["new"],
    );
    await alerts.close();
  });

  test("is told nothing at an address that is not allowed", async () => {
    await using service = await start();
    for (const [more, fault] of [
      [{ isAllowed: isGlobalAddress }, /localhost is at (127\.0\.0\.1|::1), which is not a public one/],
      [{ isAllowed: isGlobalAddress, url: new URL(`https://127.0.0.1:${url.port}/`) }, /127\.0\.0\.1 is at 127\.0\.0\.1/],
      [{ isAllowed: isGlobalAddress, url: new URL(`https://[::1]:${url.port}/`) }, /is at ::1, which is not a public one/],
    ] as const) {
      const alerts = alertsOf(service, more);
      await service.inject("/nobody");
      await alerts.run();
      assert.match(alerts.warnings.join("\n"), fault);
      service.clock.set(service.clock.now() + HOUR_MS);
      await alerts.close();
    }
    assert.equal(told().length, 0);
  });

  test("is told nothing where the host has an address beside that is not allowed", async (t) => {
    const found = ["127.0.0.1", "10.0.0.1"].map((address) => ({ address, family: 4 }));
    t.mock.method(dns, "lookup", async () => found);
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    await using service = await start();
    const alerts = alertsOf(service);
    await service.inject("/nobody");
    await alerts.run();
    assert.match(alerts.warnings.join("\n"), /localhost is at 10\.0\.0\.1, which is not a public one/);
    assert.equal(told().length, 0);
    await alerts.close();
  });

  test("is told nothing with a certificate that nobody vouches for", async (t) => {
    setDefaultCACertificates(rootCertificates);
    t.after(() => setDefaultCACertificates([CERTIFICATE]));
    await using service = await start();
    const alerts = alertsOf(service);
    await service.inject("/nobody");
    await alerts.run();
    assert.match(alerts.warnings.join("\n"), /certificate/);
    assert.equal(told().length, 0);
    await alerts.close();
  });

  test("holds up neither errors nor the end of the service while it says nothing", async (t) => {
    t.mock.method(AbortSignal, "timeout", () => new AbortController().signal);
    await using service = await start();
    const alerts = alertsOf(service);
    answer = "nothing";
    await service.inject("/held");
    const run = alerts.run();
    await service.inject("/meanwhile");
    assert.equal((await service.errors.list({}, { limit: 5 })).entries.length, 2);
    await alerts.close();
    await run;
  });
});

test("the webhook is told again after an hour of what it gave no answer to in time", async (t) => {
  const late = new AbortController();
  const limit = t.mock.method(AbortSignal, "timeout", () => late.signal);
  await using service = await startApp({ settings: SETTINGS });
  const alerts = alertsOf(service);
  await service.inject("/failed");
  taken.length = 0;
  answer = "nothing";
  const run = alerts.run();
  await until("a call", () => taken.length > 0);
  late.abort();
  await run;
  assert.equal(told().length, 1);
  assert.deepEqual(limit.mock.calls[0]!.arguments, [5_000]);
  assert.match(alerts.warnings.join("\n"), /no answer within 5 seconds/);
  t.mock.restoreAll();
  answer = "take";
  service.clock.set(START + HOUR_MS);
  await alerts.run();
  assert.equal(told().length, 1);
  await alerts.close();
});

test("where nobody is told, nothing waits to be told", async () => {
  await using service = await startApp();
  await service.inject("/untold");
  await service.errors.flush();
  const alerts = alertsOf(service);
  taken.length = 0;
  await alerts.run();
  assert.equal(taken.length, 0);
  await alerts.close();
});

test("only addresses of the public network are global", () => {
  for (const address of ["93.184.216.34", "8.8.8.8", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])
    assert.equal(isGlobalAddress(address), true, address);
  for (const address of [
    ...["127.0.0.1", "10.1.2.3", "172.31.255.255", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"],
    ...["255.255.255.255", "192.0.2.1", "198.18.0.1", "203.0.113.9", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1"],
    ...["::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "2001:db8::1", "3fff::1", "no address", ""],
  ])
    assert.equal(isGlobalAddress(address), false, address);
});

test("a running service tells no address of its own machine, and says so in its log", async () => {
  const port = url.port;
  const service = await serve({
    DATA_DIR: makeDataFolder(),
    ERROR_WEBHOOK_URL: `https://localhost:${port}/`,
    ERROR_WEBHOOK_SECRET: SECRET,
  });
  taken.length = 0;
  await fetch(`${service.origin}/unknown`);
  await until("a line in the log", () => service.output().includes("webhook"));
  const { output, code } = await service.stop();
  assert.equal(code, 0);
  assert.match(output, /"msg":"the webhook for errors was not told: localhost is at [^"]+, which is not a public one"/);
  assert.equal(taken.length, 0);
});
