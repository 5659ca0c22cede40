import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { addSender } from "../../../test/support/senders.ts";
import { until } from "../../../test/support/until.ts";

const PING = '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" EchoToken="e"/>';
const LOCAL = { host: "localhost" };
const MEGABYTE = 1024 * 1024;
const url = "/channel";

test("returns a usage page for GET, and only the page's headers for HEAD", async () => {
  await using service = await startApp();
  const page = await service.inject({ method: "GET", url, headers: LOCAL });
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /<h1>Channel<\/h1>/);
  assert.match(page.body, /OTA_HotelInvCountNotif:FreeRooms/);
  const head = await service.inject({ method: "HEAD", url, headers: LOCAL });
  assert.deepEqual([head.statusCode, head.body], [200, ""]);
});

test("does not repeat the Host header in unauthenticated responses", async () => {
  const host = "evil.example";
  const access: Record<string, string>[] = [{}, { ADMIN_PASSWORD: "correct horse battery" }];
  for (const settings of access) {
    await using service = await startApp({ settings });
    for (const path of [url, "/nowhere", "/property", "/app.css"]) {
      const { body, headers } = await service.inject({ url: path, headers: { host } });
      assert.doesNotMatch(body + JSON.stringify(headers), /evil/, path);
    }
  }
});

test("shows PUBLIC_URL, the local URL or a placeholder on the usage page", async () => {
  const addressFor = async (settings: Record<string, string>, host: string) => {
    await using service = await startApp({ settings });
    return / (http\S+)<\/code>/.exec((await service.inject({ url, headers: { host } })).body)?.[1];
  };
  const closed = { ADMIN_PASSWORD: "correct horse battery" };
  assert.equal(await addressFor({}, "localhost:80"), "http://localhost:80/channel");
  assert.equal(await addressFor({}, "evil.example"), "https://HOST/channel");
  assert.equal(await addressFor(closed, "localhost:80"), "https://HOST/channel");
  const PUBLIC_URL = "https://rooms.example.com/rack";
  assert.equal(await addressFor({ ...closed, PUBLIC_URL }, "evil.example"), "https://rooms.example.com/rack/channel");
});

test("lists the allowed methods for OPTIONS", async () => {
  await using service = await startApp();
  const answer = await service.inject({ method: "OPTIONS", url, headers: LOCAL });
  assert.equal(answer.statusCode, 204);
  assert.match(String(answer.headers.allow), /\bPOST\b/);
  const untyped = await service.inject({ method: "OPTIONS", url, headers: { ...LOCAL, "content-type": "xml" } });
  assert.deepEqual([untyped.statusCode, untyped.headers.allow], [204, answer.headers.allow]);
  assert.deepEqual((await service.errors.list({}, { limit: 1 })).entries, []);
});

test("accepts a message sent with any method other than GET, HEAD and OPTIONS", async () => {
  await using service = await startApp();
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "REPORT"] as const) {
    const answer = await service.inject({ method: method as "POST", url, headers: LOCAL, payload: PING });
    assert.equal(answer.statusCode, 200, method);
    assert.match(answer.body, /<OTA_PingRS [^>]*EchoToken="e"[^>]*><Success\/>/);
    assert.equal(answer.headers["content-type"], "application/xml; charset=utf-8");
    assert.equal(answer.headers["cache-control"], "no-store");
  }
});

test("reads a message with an invalid content type", async () => {
  await using service = await startApp();
  const post = (type: string, payload: string) =>
    service.inject({ method: "POST", url, headers: { ...LOCAL, "content-type": type }, payload });
  for (const type of ["", "xml", "text/xml, application/xml"]) {
    const answer = await post(type, PING);
    assert.equal(answer.statusCode, 200, type);
    assert.match(answer.body, /<OTA_PingRS .*<Success\/>/, type);
  }
  assert.match((await post("xml", " ")).body, /Type="10" Code="321"[^>]*>Empty request body</);
});

test("refuses a large body of any content type with the channel's own error", async () => {
  await using service = await startApp();
  const payload = Buffer.alloc(20 * MEGABYTE + 1, 32);
  for (const type of ["text/xml", "xml"]) {
    const answer = await service.inject({ method: "POST", url, headers: { ...LOCAL, "content-type": type }, payload });
    assert.equal(answer.statusCode, 413);
    assert.match(answer.body, /Type="12" Code="743"[^>]*>Message larger than 20 MB</);
  }
});

test("refuses a body before it is sent if its declared length is too large", async () => {
  await using service = await startApp();
  const { host, port } = new URL(await service.listen());
  const expectContinue = async (path: string, length: number) => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/xml\r\nContent-Length: ${length}\r\n`);
    socket.write("Expect: 100-continue\r\n\r\n");
    const statuses: string[] = [];
    for await (const chunk of socket) {
      statuses.push(...[...String(chunk).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!));
      if (statuses.at(-1) !== "100") break;
      socket.write(PING.padEnd(length));
    }
    return statuses;
  };
  assert.deepEqual(await expectContinue("/channel", 20 * MEGABYTE + 1), ["413"]);
  assert.deepEqual(await expectContinue("/channel", 2_000), ["100", "200"]);
  assert.deepEqual(await expectContinue("/nowhere", 2_000), ["100", "404"]);
});

test("refuses large bodies with Retry-After while memory is short, but reads small ones", async () => {
  await using service = await startApp();
  const { host, port } = new URL(await service.listen());
  const post = (size: number) => {
    const payload = `${PING}<!--${" ".repeat(size)}-->`;
    return service.inject({ method: "POST", url, headers: { host, "content-type": "text/xml" }, payload });
  };
  const slow = Array.from({ length: 8 }, () => sendMost(host, Number(port)));
  try {
    const refused = await until("a refusal", async () => {
      const answer = await post(2 * MEGABYTE);
      return answer.statusCode === 429 && answer;
    });
    assert.equal(refused.headers["retry-after"], "2");
    assert.match(refused.body, /Type="12" Code="191"[^>]*>System busy - please try later</);
    assert.equal((await post(MEGABYTE / 2)).statusCode, 200);
  } finally {
    for (const one of slow) one.end();
  }
  await until("memory for a large body", async () => (await post(2 * MEGABYTE)).statusCode === 200);
  for (let time = 0; time < 70; time++) assert.equal((await post(3 * MEGABYTE)).statusCode, 200, "memory is freed after the answer");
});

/** Sends all but the end of a body, then stalls. Retries if refused, because other requests may be using the memory. */
function sendMost(host: string, port: number): { end(): void } {
  let socket = begin();
  function begin(): Socket {
    const begun = connect(port, "127.0.0.1").on("error", () => {});
    begun.write(`POST /channel HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/xml\r\nContent-Length: ${18 * MEGABYTE}\r\n\r\n`);
    begun.write(Buffer.alloc(17 * MEGABYTE, 32));
    return begun.once("data", () => {
      begun.destroy();
      socket = begin();
    });
  }
  return { end: () => socket.destroy() };
}

test("requires credentials through a proxy, even in development", async () => {
  await using service = await startApp();
  const forwarded = { ...LOCAL, "x-forwarded-for": "198.51.100.7" };
  assert.equal((await service.inject({ method: "POST", url, headers: forwarded, payload: PING })).statusCode, 401);
});

test("accepts only senders, not the administrator, if access is closed", async () => {
  await using service = await startApp({ settings: { ADMIN_PASSWORD: "a long administrator secret" } });
  const secret = await addSender(service.database, { name: "pms" });
  const post = (user: string, password: string) =>
    service.inject({
      method: "POST",
      url,
      headers: { ...LOCAL, authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
      payload: PING,
    });
  assert.equal((await post("admin", "a long administrator secret")).statusCode, 401);
  const answer = await post("pms", secret);
  assert.equal(answer.statusCode, 200);
  assert.match(answer.body, /<Success\/>/);
});
