import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import fastify from "fastify";
import { startApp, type TestApp } from "../../test/support/app.ts";
import { until } from "../../test/support/until.ts";
import { addErrorHandler } from "./error-handler.ts";

test("sends errors in the format that the client prefers, or as a page by default", async () => {
  await using service = await startApp();
  const expected = {
    "text/html,application/xml;q=0.9,*/*;q=0.8": "text/html",
    "application/json": "application/json",
    "text/html;q=0.5, application/json": "application/json",
    "application/json;q=0.4, text/xml;q=0.6": "application/xml",
    "application/json;q=0, */*": "text/html",
    "application/json; charset=utf-8": "application/json",
    "application/json;q=0.4, */*": "text/html",
    "image/png": "text/html",
    "": "text/html",
  };
  for (const [accept, type] of Object.entries(expected)) {
    const { statusCode, headers } = await service.inject({ url: "/no/such", headers: { accept } });
    assert.equal(statusCode, 404);
    assert.equal(String(headers["content-type"]).split(";")[0], type, accept);
  }
  const { headers } = await service.inject("/property/NONE?format=csv&format=json");
  assert.match(String(headers["content-type"]), /^application\/json/, "uses the last format");
});

test("responds in XML to a message sent to an unknown path, and mentions the right path", async () => {
  await using service = await startApp();
  for (const url of ["/channel/", "/chanel"]) {
    const headers = { "content-type": "text/xml; charset=utf-8" };
    const { statusCode, headers: sent, body } = await service.inject({ method: "POST", url, headers, payload: "<OTA_PingRQ/>" });
    assert.equal(statusCode, 404);
    assert.match(String(sent["content-type"]), /^application\/xml/);
    assert.match(
      body,
      new RegExp(`>Route (&apos;|&#39;|')POST ${url}(&apos;|&#39;|') not found; messages are received at /channel</error>`),
    );
    const entry = await firstEntry(service);
    assert.equal(entry.message, `Route 'POST ${url}' not found`);
  }
});

test("records any thrown value and hides it from the client", async () => {
  await using service = await startApp();
  const named = Object.assign(new Error("secret of ours"), { name: {} });
  for (const [thrown, message] of [
    ["secret of ours", "secret of ours"],
    [null, "null"],
    [undefined, "null"],
    [{ secret: 1 }, '{"secret":"[redacted, 1 characters]"}'],
    [named, "secret of ours"],
  ] as const) {
    const { promise, reject } = Promise.withResolvers<never>();
    service.errors.find = () => promise;
    reject(thrown);
    const { statusCode, body } = await service.inject("/tools/errors/1");
    assert.equal(statusCode, 500);
    assert.match(body, /It was recorded as <a [^>]*>entry \d+<\/a> in the error log[^]*<dd>Error<\/dd>/, message);
    assert.doesNotMatch(body, /secret/);
    assert.deepEqual(await firstEntry(service), { class: "Error", message, status: 500 });
  }
});

test("returns 500 if the error handler itself throws", async () => {
  for (const fault of ["secret of ours", undefined, new Error("secret of ours")]) {
    await using app = fastify();
    const record = () => {
      const { promise, reject } = Promise.withResolvers<never>();
      reject(fault);
      return promise;
    };
    addErrorHandler(app, { record }, () => undefined);
    app.get("/", () => {
      throw new Error("first");
    });
    const { statusCode } = await app.inject("/");
    assert.equal(statusCode, 500, String(fault));
  }
});

test("records status 400 for a client that disconnects while sending a form", async () => {
  await using service = await startApp();
  const { host, port } = new URL(await service.listen());
  const socket = connect(Number(port), "127.0.0.1");
  const type = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100";
  const arrived = once(service.app.server, "request");
  socket.write(`POST /property/new HTTP/1.1\r\nHost: ${host}\r\n${type}\r\n\r\ncode=A1`);
  await arrived;
  socket.destroy();
  assert.deepEqual(await firstEntry(service), {
    class: "HttpException",
    message: "The connection closed before the whole body arrived",
    status: 400,
  });
});

test("records no error if a client disconnects before the response", async () => {
  await using service = await startApp();
  for (let index = 0; index < 100; index++) await service.inject(`/no/such/${index}`);
  const { host, port } = new URL(await service.listen());
  const left = Promise.withResolvers<void>();
  service.app.server.once("connection", (arrived) => arrived.once("close", left.resolve));
  const listSkipped = service.errors.listSkipped.bind(service.errors);
  service.errors.listSkipped = () => left.promise.then(listSkipped);
  const socket = connect(Number(port), "127.0.0.1");
  const type = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\nAccept-Encoding: gzip";
  const arrived = once(service.app.server, "request");
  socket.write(`POST /tools/errors?size=100 HTTP/1.1\r\nHost: ${host}\r\n${type}\r\n\r\nx=1`);
  await arrived;
  socket.resetAndDestroy();
  await left.promise;
  for (let later = 0; later < 3; later++) await service.inject("/tools/errors");
  assert.deepEqual((await service.errors.list({ status: 500 }, { limit: 1 })).entries, []);
});

async function firstEntry({ errors }: TestApp) {
  const entry = await until("an entry", async () => (await errors.list({}, { limit: 1 })).entries[0]);
  return { class: entry.class, message: entry.message, status: entry.status };
}

test("sends only valid XML characters", async () => {
  await using service = await startApp();
  const ask = async (code: string) => (await service.inject({ url: `/property/${code}`, headers: { accept: "text/xml" } })).body;
  for (const code of ["%01", "%EF%BF%BE", "%EF%BF%BF"]) assert.match(await ask(code), /Property &#39;\ufffd&#39; not found/, code);
  assert.match(await ask("%F0%9F%98%80"), /Property &#39;😀&#39; not found/);
});
