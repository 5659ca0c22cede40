import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { cleanIfDue } from "../src/cli/housekeeping.ts";
import { addressRule } from "../src/outgoing/addresses.ts";
import { WebhookDelivery } from "../src/webhooks/delivery.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, makeHotel, makeProperty, postMessage } from "./support/hotel.ts";
import { type Received, Receiver } from "./support/receiver.ts";
import { ADMIN_PASSWORD, basic, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";
import { until } from "./support/until.ts";
import { assertValidHtml } from "./support/valid-html.ts";

const LOCAL = ["127.0.0.0/8"];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Fields = Readonly<Record<string, string>>;
type Shown = {
  state: string;
  disabledReason: string | null;
  deliveries: { id: number; event: string; type: string; state: string; attempts: number; status: number; answer: string }[];
};
type Payload = { type: string; timestamp: string; data: { after: string; cursor: string } };

const KINDS = { "kind-inventory": "on", "kind-rates": "on", "kind-record": "on" };

const afterOf = ({ body }: Received) => (JSON.parse(body) as Payload).data.after;

/** Verifies a signature with the reference library, which compares the time with the system clock. */
function verify(t: TestContext, { body, headers }: Received, { secret, at }: { secret: string; at: number }): Payload {
  const now = t.mock.method(Date, "now", () => at);
  try {
    return new Webhook(secret).verify(body, headers) as Payload;
  } finally {
    now.mock.restore();
  }
}

function deliveryOf(service: TestApp, networks: readonly string[] = LOCAL) {
  const warnings: string[] = [];
  const log = { warn: (_facts: object, message: string) => warnings.push(message) };
  const delivery = new WebhookDelivery({ database: service.database, clock: service.clock, rule: addressRule(networks), log });
  const run = async () => {
    await delivery.run();
    await delivery.idle();
  };
  return { delivery, warnings, run };
}

eachEngine("a webhook", (open) => {
  const start = async () => {
    const service = await startApp({ database: await open(), settings: { WEBHOOK_NETWORKS: LOCAL[0]! } });
    await makeHotel(service);
    return service;
  };
  const create = async (service: TestApp, fields: Fields) => {
    const visitor = service.visitor();
    await visitor.get("/dev/webhooks");
    const answer = await visitor.post("/dev/webhooks?format=json", { action: "create", name: "engine", ...KINDS, ...fields });
    assert.equal(answer.statusCode, 201, answer.body);
    return answer.json<{ id: number; secret: string }>();
  };
  const act = async (service: TestApp, id: number, fields: Fields) => {
    const visitor = service.visitor();
    await visitor.get("/dev/webhooks");
    const answer = await visitor.post(`/dev/webhooks/${id}?format=json`, fields);
    assert.ok(answer.statusCode < 300, answer.body);
    return answer.json<{ secret: string }>();
  };
  const show = async (service: TestApp, id: number) => (await service.inject(`/dev/webhooks/${id}?format=json`)).json<Shown>();
  const count = (service: TestApp, number: number) =>
    postMessage(service, countMessage({ control: 'Start="2026-12-01" End="2026-12-03" InvTypeCode="DBL"', counts: [[2, number]] }));
  const later = (service: TestApp, ms: number) => service.clock.set(service.clock.now() + ms);

  test("a webhook batches changes for one second and sends a signed range of cursors", async (t) => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id, secret } = await create(service, { url: receiver.url });
    const { run } = deliveryOf(service);
    await run();
    assert.deepEqual(receiver.take(), [], "nothing changed since it was created");
    await count(service, 3);
    await count(service, 4);
    await run();
    await count(service, 5);
    await run();
    const [first, ...others] = receiver.take();
    assert.deepEqual(others, [], "within a second");
    later(service, 1000);
    await run();
    const [second] = receiver.take();
    const payloads = [first!, second!].map((call, index) => verify(t, call, { secret, at: START + index * 1000 }));
    assert.deepEqual(Object.keys(payloads[0]!), ["type", "timestamp", "data"]);
    assert.equal(payloads[0]!.data.cursor, payloads[1]!.data.after);
    const read = async ({ after, cursor }: Payload["data"]) => {
      const page = (await service.inject(`/changes?after=${after}`)).json<{ changes: { message: number }[]; cursor: string }>();
      const end = page.changes.map((change) => change.message);
      return { end, isEnd: page.cursor === cursor };
    };
    assert.equal((await read(payloads[0]!.data)).end.length, 3);
    assert.deepEqual([(await read(payloads[1]!.data)).end.length, (await read(payloads[1]!.data)).isEnd], [1, true]);
    assert.deepEqual(
      (await show(service, id)).deliveries.map(({ state, status, attempts }) => [state, status, attempts]),
      [
        ["delivered", 204, 1],
        ["delivered", 204, 1],
      ],
    );
  });

  test("a webhook leaves out changes to other properties and of other kinds", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    await makeProperty(service, { code: "BET", name: "Bettenburg" });
    await create(service, { name: "bet", url: `${receiver.url}/bet`, properties: "BET" });
    await create(service, { name: "rates", url: `${receiver.url}/rates`, "kind-inventory": "", "kind-record": "" });
    await create(service, { name: "counts", url: `${receiver.url}/counts`, "kind-rates": "", properties: "ALP, BET" });
    const { run } = deliveryOf(service);
    await count(service, 3);
    await run();
    assert.deepEqual(
      receiver.take().map(({ path }) => path),
      ["/hook/counts"],
    );
    later(service, 1000);
    const edited = await service.visitor().post("/property/BET/edit", { name: "Bettenburg am See", version: "1" });
    assert.equal(edited.statusCode, 303);
    await run();
    const paths = receiver.take().map(({ path }) => path);
    assert.deepEqual(paths.toSorted(), ["/hook/bet", "/hook/counts"]);
  });

  test("a webhook is sent by one process at a time, and by another process if the first one dies", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url });
    await count(service, 3);
    const processes = Array.from({ length: 4 }, () => deliveryOf(service));
    await Promise.all(processes.map(({ run }) => run()));
    assert.equal(receiver.take().length, 1);
    later(service, 1000);
    await count(service, 4);
    receiver.respond = () => {};
    const dying = deliveryOf(service).delivery;
    await dying.run();
    await until("a call", () => receiver.received.length > 0);
    const [unanswered] = receiver.take();
    receiver.respond = (response) => response.writeHead(200).end("ok");
    const { run } = processes[0]!;
    later(service, 14_999);
    await run();
    assert.deepEqual(receiver.take(), [], "while the other process may be sending it");
    later(service, 1);
    await run();
    const [again] = receiver.take();
    assert.deepEqual([again!.headers["webhook-id"], again!.body], [unanswered!.headers["webhook-id"], unanswered!.body]);
    assert.equal((await show(service, id)).deliveries[0]!.answer, "ok");
    await dying.close();
    assert.equal((await show(service, id)).deliveries[0]!.state, "delivered", "the process that lost its claim changes nothing");
  });

  test("a webhook is retried with increasing delays for three days, and disabled after a week", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url });
    const { run, warnings } = deliveryOf(service);
    receiver.respond = (response) => response.writeHead(500).end("broken");
    await count(service, 3);
    await run();
    const first = receiver.take();
    const ids = new Set(first.map(({ headers }) => headers["webhook-id"]));
    for (const seconds of [5, 30, 120, 600, 1800, 3600, 3600]) {
      later(service, seconds * 1000 - 1);
      await run();
      assert.deepEqual(receiver.take(), [], `${seconds} seconds are not over`);
      later(service, 1);
      await run();
      const calls = receiver.take();
      assert.equal(calls.length, 1, `after ${seconds} seconds`);
      ids.add(calls[0]!.headers["webhook-id"]);
    }
    assert.equal(ids.size, 1);
    const { state, deliveries } = await show(service, id);
    assert.deepEqual([state, deliveries.length], ["failing", 1]);
    assert.deepEqual([deliveries[0]!.status, deliveries[0]!.answer, deliveries[0]!.attempts], [500, "broken", 8]);
    service.clock.set(START + 3 * DAY_MS);
    await run();
    assert.equal((await show(service, id)).deliveries[0]!.state, "failed");
    receiver.take();
    later(service, 1000);
    await run();
    assert.deepEqual(receiver.take().map(afterOf), first.map(afterOf), "a new delivery covers the changes of the failed one");
    await count(service, 4);
    service.clock.set(START + 7 * DAY_MS - 1);
    await run();
    assert.equal((await show(service, id)).state, "failing");
    service.clock.set(START + 7 * DAY_MS + 5_000);
    await run();
    const off = await show(service, id);
    assert.deepEqual([off.state, off.disabledReason], ["disabled", "Deliveries failed for a week."]);
    assert.match(warnings.join("\n"), /disabled\. Deliveries failed for a week/);
    receiver.take();
    receiver.respond = (response) => response.writeHead(204).end();
    await act(service, id, { action: "enable" });
    await count(service, 5);
    later(service, 1000);
    await run();
    assert.deepEqual(receiver.take().map(afterOf), first.map(afterOf), "all changes since the last success");
    assert.equal((await show(service, id)).state, "enabled");
  });

  test("a webhook is sent even if its next attempt is far in the future because the clock was wrong", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url });
    const { run } = deliveryOf(service);
    receiver.respond = (response) => response.writeHead(500).end();
    service.clock.set(START + 10 * DAY_MS);
    await count(service, 3);
    await run();
    receiver.respond = (response) => response.writeHead(204).end();
    service.clock.set(START);
    await run();
    assert.equal((await show(service, id)).deliveries[0]!.state, "delivered");
  });

  test("a webhook is disabled if the receiver responds with 410 Gone", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url });
    receiver.respond = (response) => response.writeHead(410).end();
    await count(service, 3);
    await deliveryOf(service).run();
    const { state, disabledReason, deliveries } = await show(service, id);
    assert.deepEqual([state, disabledReason, deliveries[0]!.state], ["disabled", "The receiver responded with 410 Gone.", "failed"]);
    const refused = receiver.take();
    receiver.respond = (response) => response.writeHead(204).end();
    await act(service, id, { action: "enable" });
    later(service, 1000);
    await deliveryOf(service).run();
    assert.deepEqual(receiver.take().map(afterOf), refused.map(afterOf), "without another change");
  });

  test("a webhook is not sent to private networks, unless the settings allow it, and never over plain HTTP elsewhere", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url.replace("127.0.0.1", "localhost") });
    await count(service, 3);
    await deliveryOf(service, ["10.0.0.0/8"]).run();
    assert.match(
      (await show(service, id)).deliveries[0]!.answer,
      /localhost resolves to (127\.0\.0\.1|::1), which is not a public address/,
    );
    const { id: plain } = await create(service, { name: "plain", url: "http://1.1.1.1/" });
    await act(service, plain, { action: "test" });
    await deliveryOf(service).run();
    assert.match((await show(service, plain)).deliveries[0]!.answer, /1\.1\.1\.1 requires https/);
    assert.deepEqual(receiver.take(), []);
  });

  test("a delivery fails immediately if the receiver tries to switch protocols", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url });
    receiver.respond = (response) => response.writeHead(101, { connection: "upgrade", upgrade: "x" }).end();
    await act(service, id, { action: "test" });
    assert.equal(await Promise.race([deliveryOf(service).run(), sleep(5_000, "waiting", { ref: false })]), undefined);
    const [{ state, answer }] = (await show(service, id)).deliveries as [Shown["deliveries"][0]];
    assert.deepEqual([state, answer], ["failed", "the receiver responded with 101 Switching Protocols"]);
  });

  test("a webhook doesn't follow redirects, and reads only the start of a response", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url });
    receiver.respond = (response) => response.writeHead(302, { location: "/elsewhere" }).end();
    await act(service, id, { action: "test" });
    const { run } = deliveryOf(service);
    await run();
    receiver.respond = (response) => void response.writeHead(200).write("x".repeat(100_000));
    await act(service, id, { action: "test" });
    await run();
    assert.deepEqual(
      receiver.take().map(({ path }) => path),
      ["/hook", "/hook"],
    );
    const { deliveries } = await show(service, id);
    assert.deepEqual(
      deliveries.map(({ type, state, status, answer }) => [type, state, status, answer.length]),
      [
        ["test", "delivered", 200, 500],
        ["test", "failed", 302, 0],
      ],
    );
  });

  test("a delivery fails if the receiver doesn't respond in time, and doesn't delay other deliveries", async (t) => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: `${receiver.url}/slow` });
    await create(service, { name: "fast", url: `${receiver.url}/fast` });
    receiver.respond = (response, { path }) => void (path === "/hook/slow" || response.writeHead(204).end());
    const late = new AbortController();
    const limit = t.mock.method(AbortSignal, "timeout", () => late.signal);
    await count(service, 3);
    const { delivery } = deliveryOf(service);
    await delivery.run();
    await until("both calls", () => receiver.received.length === 2);
    receiver.take();
    later(service, 1000);
    await count(service, 4);
    await until("the next call of the fast one", async () => {
      await delivery.run();
      later(service, 1000);
      return receiver.received.some(({ path }) => path === "/hook/fast");
    });
    assert.ok(receiver.take().every(({ path }) => path === "/hook/fast"));
    assert.deepEqual(limit.mock.calls[0]!.arguments, [10_000]);
    late.abort();
    await delivery.idle();
    assert.equal((await show(service, id)).deliveries[0]!.answer, "no response within 10 seconds");
  });

  test("a webhook is signed with both secrets for a limited time after a rotation", async (t) => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id, secret: old } = await create(service, { url: receiver.url });
    const { secret } = await act(service, id, { action: "rotate", overlap: "24" });
    const { run } = deliveryOf(service);
    const send = async () => {
      await act(service, id, { action: "test" });
      await run();
      return receiver.take()[0]!;
    };
    const call = await send();
    for (const one of [old, secret]) assert.equal(verify(t, call, { secret: one, at: START }).type, "test");
    service.clock.set(START + DAY_MS);
    const next = await send();
    assert.equal(verify(t, next, { secret, at: START + DAY_MS }).type, "test");
    assert.throws(() => verify(t, next, { secret: old, at: START + DAY_MS }), /No matching signature/);
  });

  test("resends a delivery with the same id, and keeps deliveries for a week", async () => {
    await using receiver = await Receiver.start();
    await using service = await start();
    const { id } = await create(service, { url: receiver.url });
    await count(service, 3);
    const { run } = deliveryOf(service);
    await run();
    const [delivery] = (await show(service, id)).deliveries;
    await act(service, id, { action: "again", delivery: String(delivery!.id) });
    await run();
    const [first, again] = receiver.take();
    assert.equal(first!.headers["webhook-id"], again!.headers["webhook-id"]);
    const missing = await service.visitor().post(`/dev/webhooks/${id}`, { action: "again", delivery: "999" });
    assert.equal(missing.statusCode, 404);
    const kept: number[] = [];
    for (let days = 1; days <= 8; days++) {
      service.clock.set(START + days * DAY_MS);
      await cleanIfDue({ ...service, log: service.app.log });
      kept.push((await show(service, id)).deliveries.length);
    }
    assert.deepEqual([kept.slice(0, 7), kept.at(-1)], [[1, 1, 1, 1, 1, 1, 1], 0]);
  });

  test("a webhook is managed on its page, which shows the secret once, and each action is audited", async () => {
    await using service = await start();
    const visitor = service.visitor();
    const created = await visitor.post("/dev/webhooks", { action: "create", name: "engine", url: "https://hooks.example.com/a", ...KINDS });
    const [, secret = ""] = /<pre id="copy-text"[^>]*>(whsec_[\w+/=]{32})<\/pre>/.exec(created.body) ?? [];
    assert.notEqual(secret, "", created.body);
    const edit = (fields: Fields) => visitor.post("/dev/webhooks/1", { action: "edit", name: "engine", ...KINDS, ...fields });
    for (const [fields, fault] of [
      [{ url: "ftp://x" }, "Enter a URL such as https://hooks.example.com/path"],
      [{ url: "https://u:p@x.example/" }, "Enter a URL without a user name or password"],
      [{ url: "https://x.example/", properties: "NONE" }, "Property NONE does not exist"],
      [
        { url: "https://x.example/", "kind-inventory": "", "kind-rates": "", "kind-record": "" },
        "Choose at least one type of change, or alerts",
      ],
    ] as const) {
      const answer = await edit(fields);
      assert.deepEqual([answer.statusCode, answer.body.includes(fault)], [422, true], fault);
    }
    assert.equal((await edit({ url: "https://x.example/", properties: "ALP", "kind-rates": "" })).statusCode, 303);
    for (const action of ["test", "disable", "enable", "rotate"]) await visitor.post("/dev/webhooks/1", { action });
    for (const url of ["/dev/webhooks", "/dev/webhooks/1"]) await assertValidHtml((await visitor.get(url)).body);
    assert.equal((await visitor.post("/dev/webhooks/1", { action: "delete" })).statusCode, 422);
    for (const url of ["/dev/webhooks", "/dev/webhooks/1", "/tools/audit"]) assert.ok(!(await visitor.get(url)).body.includes(secret), url);
    await visitor.post("/dev/webhooks/1", { action: "delete", sure: "on" });
    assert.equal((await visitor.get("/dev/webhooks/1")).statusCode, 404);
    const audit = (await visitor.get("/tools/audit?subject=webhook:engine&format=json")).json<{ entries: { action: string }[] }>();
    const actions = audit.entries.map(({ action }) => action).toReversed();
    assert.deepEqual(actions, ["create", "edit", "test", "disable", "enable", "rotate", "delete"]);
  });
});

test("webhooks require HTTPS without an allow-list, and only administrators see them", async () => {
  await using service = await startApp({ settings: TWO_ROLES });
  const admin = basic(ADMIN_PASSWORD);
  const visitor = service.visitor();
  const answer = await visitor.post("/dev/webhooks", { action: "create", name: "x", url: "http://x.example/", ...KINDS }, admin);
  assert.match(answer.body, /Plain HTTP requires the WEBHOOK_NETWORKS setting/);
  assert.equal((await service.inject({ url: "/dev/webhooks", headers: basic(VIEWER_PASSWORD) })).statusCode, 403);
});
