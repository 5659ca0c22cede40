import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { HtmlValidate } from "html-validate";
import { startApp, type TestApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, textOf } from "../../../../test/support/hotel.ts";

/** Sends a request `times` times over one connection and returns the connection. */
async function askOften(origin: string, head: string, times: number): Promise<Socket> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  for (let time = 0; time < times; time++) {
    socket.write(`${head} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
  }
  return socket;
}

type Fields = Readonly<Record<string, string>>;

const XML = { "content-type": "application/xml" };
const basic = (name: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}` });

eachEngine("connections", (open) => {
  const start = async () => {
    const service = await startApp({ database: await open() });
    await makeHotel(service);
    return service;
  };
  const create = async (service: TestApp, fields: Fields = {}) => {
    const answer = await service
      .visitor()
      .post("/dev/senders", { action: "create", name: "pms", properties: "ALP", profile: "standard", ...fields });
    const [, secret = ""] = /<pre id="copy-text"[^>]*>([\w-]{32})<\/pre>/.exec(answer.body) ?? [];
    return { answer, secret };
  };
  const act = (service: TestApp, fields: Fields) => service.visitor().post("/dev/senders/pms", fields);
  const read = async <T>(service: TestApp, url = "/dev/senders/pms") => (await service.inject(`${url}?format=json`)).json<T>();
  const send = async (
    service: TestApp,
    secret: string,
    payload = countMessage({ control: 'Start="2026-11-21" End="2026-11-22" InvTypeCode="DBL"', counts: [[2, 3]] }),
  ) => service.inject({ method: "POST", url: "/channel", headers: { ...XML, ...basic("pms", secret) }, payload });

  test("a new connection shows its secret once, with instructions for each way to authenticate", async () => {
    await using service = await start();
    const { answer, secret } = await create(service);
    assert.equal(answer.statusCode, 200, textOf(answer));
    assert.match(textOf(answer), /Connection pms was created\. Copy the secret now: it won't be shown again\./);
    for (const way of ["HTTP Basic", "Bearer", "API key", "AlpineBits", "WS-Security, password as text", "JSON"])
      assert.ok(answer.body.includes(`<h3>${way}</h3>`), way);
    assert.equal((await send(service, secret)).statusCode, 200);
    assert.ok(!(await service.inject("/dev/senders/pms")).body.includes(secret));
  });

  test("the list of connections shows each connection's state, properties, last message and share of accepted messages", async () => {
    await using service = await start();
    const { secret } = await create(service);
    await send(service, secret);
    await send(service, secret, countMessage({ control: 'Start="2026-11-21" InvTypeCode="NOPE"', counts: [[2, 3]] }));
    const { connections } = await read<{
      connections: { name: string; state: string; acceptedShare: number; lastRefusal: string; properties: string[] }[];
    }>(service, "/dev/senders");
    const [one] = connections;
    assert.deepEqual([one?.name, one?.state, one?.properties, one?.acceptedShare], ["pms", "enabled", ["ALP"], 0.5]);
    const page = textOf(await service.inject("/dev/senders"));
    assert.match(page, /pms.*enabled.*standard.*ALP.*50%/s);
  });

  test("a connection's page groups refusals by cause, and offers to map or create unknown codes", async () => {
    await using service = await start();
    const { secret } = await create(service);
    const unknown = countMessage({ control: 'Start="2026-11-21" InvTypeCode="DOPPEL"', counts: [[2, 3]] });
    for (let time = 0; time < 2; time++) await send(service, secret, unknown);
    const before = await read<{
      refusals: { count: number; code: number }[];
      unknownCodes: { code: string; kind: string; count: number }[];
    }>(service);
    assert.deepEqual(
      before.refusals.map(({ count, code }) => [count, code]),
      [[2, 402]],
    );
    assert.deepEqual(
      before.unknownCodes.map(({ code, kind, count }) => [code, kind, count]),
      [["DOPPEL", "category", 2]],
    );
    const page = await service.inject("/dev/senders/pms");
    assert.match(page.body, /href="\/dev\/senders\/pms\?view=create&amp;kind=category&amp;property=ALP&amp;code=DOPPEL"/);
    const refused = await act(service, { action: "map", kind: "category", property: "ALP", code: "DOPPEL", target: "NOPE" });
    assert.match(textOf(refused), /Property ALP has no category NOPE/);
    assert.equal((await act(service, { action: "map", kind: "category", property: "ALP", code: "DOPPEL", target: "DBL" })).statusCode, 303);
    assert.match((await send(service, secret, unknown)).body, /<Success\/>/);
    const after = await read<{ codes: { code: string; target: string }[]; unknownCodes: unknown[] }>(service);
    assert.deepEqual([after.codes.map(({ code, target }) => [code, target]), after.unknownCodes], [[["DOPPEL", "DBL"]], []]);
    await act(service, { action: "unmap", kind: "category", property: "ALP", code: "DOPPEL" });
    assert.match((await send(service, secret, unknown)).body, /Code="402"/);
  });

  test("a connection's secret can be rotated while the old one stays valid for a limited time", async () => {
    await using service = await start();
    const { secret } = await create(service);
    const rotated = await act(service, { action: "rotate", overlap: "24" });
    const [, next = ""] = /<pre id="copy-text"[^>]*>([\w-]{32})<\/pre>/.exec(rotated.body) ?? [];
    assert.notEqual(next, secret);
    assert.deepEqual([(await send(service, secret)).statusCode, (await send(service, next)).statusCode], [200, 200]);
    await act(service, { action: "end-old" });
    assert.deepEqual([(await send(service, secret)).statusCode, (await send(service, next)).statusCode], [401, 200]);
  });

  test("a connection's access is extended only after confirmation", async () => {
    await using service = await start();
    await service.visitor().post("/property/new", { code: "BET", name: "Betten" });
    await create(service);
    const properties = async () => (await read<{ properties: string[] | null }>(service)).properties;
    assert.match(textOf(await act(service, { action: "narrow", keep: "ALP BET" })), /Limiting access can't add properties/);
    assert.match(textOf(await act(service, { action: "widen", add: "BET" })), /Confirm that you want to give this connection more access/);
    assert.deepEqual(await properties(), ["ALP"]);
    await act(service, { action: "widen", add: "BET", sure: "on" });
    assert.deepEqual(await properties(), ["ALP", "BET"]);
    await act(service, { action: "narrow", keep: "BET" });
    assert.deepEqual(await properties(), ["BET"]);
    await act(service, { action: "widen", all: "on", sure: "on" });
    assert.equal(await properties(), null);
  });

  test("the connection pages are valid HTML, even with refusals and mapped codes", async () => {
    await using service = await start();
    const { answer, secret } = await create(service);
    await send(service, secret);
    await send(service, secret, countMessage({ control: 'Start="2026-11-21" InvTypeCode="DOPPEL"', counts: [[2, 3]] }));
    await act(service, { action: "map", kind: "category", property: "ALP", code: "EINZEL", target: "SGL" });
    await act(service, { action: "rotate", overlap: "24" });
    const rules = { "prefer-native-element": "off" } as const;
    const validator = new HtmlValidate({ root: true, extends: ["html-validate:standard", "html-validate:a11y"], rules });
    for (const { body } of [answer, await service.inject("/dev/senders"), await service.inject("/dev/senders/pms")]) {
      const { results } = await validator.validateString(body);
      assert.deepEqual(
        results.flatMap(({ messages }) => messages.map(({ message }) => message)),
        [],
      );
    }
  });

  test("a connection can be disabled, enabled and deleted", async () => {
    await using service = await start();
    const { secret } = await create(service);
    await act(service, { action: "disable" });
    assert.equal((await send(service, secret)).statusCode, 401);
    await act(service, { action: "enable" });
    assert.equal((await send(service, secret)).statusCode, 200);
    assert.match(textOf(await act(service, { action: "delete" })), /Confirm that you want to delete this connection/);
    assert.equal((await act(service, { action: "delete", "sure-delete": "on" })).statusCode, 303);
    assert.equal((await service.inject("/dev/senders/pms")).statusCode, 404);
  });

  test("a connection's profile can be saved, and an invalid profile is refused with an explanation", async () => {
    await using service = await start();
    await create(service);
    assert.match(
      textOf(await act(service, { action: "profile", profile: "exely", settings: "end=never" })),
      /end cannot be 'never'\. Allowed: included, excluded/,
    );
    await act(service, { action: "profile", profile: "exely", settings: "end=excluded" });
    const { profile } = await read<{ profile: { preset: string; settings: Fields } }>(service);
    assert.deepEqual(profile, { preset: "exely", settings: { end: "excluded" } });
    assert.match(textOf(await service.inject("/dev/senders/pms")), /End of a range of nights: the day after the last night/);
  });

  test("a connection's page checks off the setup steps that are done", async () => {
    await using service = await start();
    const { secret } = await create(service);
    assert.match(textOf(await service.inject("/dev/senders/pms")), /First connection: 0 of 5 steps/);
    await send(service, secret);
    assert.match(
      textOf(await service.inject("/dev/senders/pms")),
      /First connection: 2 of 5 steps.*done Signed in.*done First message accepted: message #1/s,
    );
  });

  test("an incomplete form for a connection is refused with a clear error", async () => {
    await using service = await start();
    const errors = async (fields: Fields) => {
      const { answer } = await create(service, fields);
      return [answer.statusCode, textOf(answer)] as const;
    };
    for (const [fields, text] of [
      [{ name: "a:b" }, /Enter a name of up to 100 characters/],
      [{ properties: "" }, /Enter at least one property code, or choose all properties/],
      [{ properties: "NOPE" }, /Property NOPE does not exist/],
      [{ days: "soon" }, /Enter 1 to 3650 days/],
      [{ profile: "excellent" }, /Unknown profile 'excellent'/],
    ] as const) {
      const [status, page] = await errors(fields);
      assert.equal(status, 422);
      assert.match(page, text);
    }
    await create(service);
    assert.match((await errors({}))[1], /Choose another name; connection pms already exists/);
  });

  test("a connection's page receives new messages as they arrive", async () => {
    await using service = await start();
    const { secret } = await create(service);
    const origin = await service.listen();
    const stop = new AbortController();
    const response = await fetch(`${origin}/dev/senders/pms/tail`, { signal: stop.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader.read()).value ?? "", /^retry: /);
    await send(service, secret);
    let text = "";
    while (!text.includes("data: ")) text += (await reader.read()).value ?? "";
    assert.match(text, /data: \{"id":1,.*"outcome":"ok"/);
    stop.abort();
  });

  test("each page that follows messages is counted, even if several pages share an HTTP connection", async () => {
    await using service = await start();
    await create(service);
    const origin = await service.listen();
    const socket = await askOften(origin, "HEAD /dev/senders/pms/tail", 60);
    const followed = await fetch(`${origin}/dev/senders/pms/tail`);
    assert.equal(followed.status, 200);
    await followed.body?.cancel();
    socket.destroy();
  });
});
