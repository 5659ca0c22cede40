import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";

/** Sends raw text on its own connection. */
async function send(port: number, sent: string): Promise<[status: number, message: string]> {
  const socket = connect(port, "127.0.0.1");
  socket.write(sent);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  assert.match(head, /\r\nContent-Type: application\/json; charset=utf-8\r\n/);
  assert.match(head, new RegExp(`\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`));
  const { error } = JSON.parse(body) as { error: { status: number; message: string } };
  assert.ok(head.startsWith(`HTTP/1.1 ${error.status} `), head);
  return [error.status, error.message];
}

test("explains what is wrong with a malformed request", async () => {
  await using service = await startApp();
  const port = Number(new URL(await service.listen()).port);
  const host = `Host: 127.0.0.1:${port}`;
  const answers = {
    [`GET /é HTTP/1.1\r\n${host}\r\n\r\n`]: [
      400,
      /^Not a valid HTTP\/1\.1 request: .*url.*; percent-encode non-ASCII characters in the request target$/,
    ],
    [`GET /a b HTTP/1.1\r\n${host}\r\n\r\n`]: [400, /; write a space in the request target as %20$/],
    [`get /property HTTP/1.1\r\n${host}\r\n\r\n`]: [400, /method/],
    [`GET / HTTP/1.1\r\n${host}\r\nno colon\r\n\r\n`]: [400, /header/],
    [`POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`]: [400, /Transfer-Encoding/],
    [`GET / HTTP/1.1\r\n${host}\r\nX: ${"x".repeat(65_536)}\r\n\r\n`]: [
      431,
      /^The request line and headers exceed the limit of 65,536 bytes$/,
    ],
  } as const;
  for (const [sent, [status, words]] of Object.entries(answers)) {
    const [actual, message] = await send(port, sent);
    assert.equal(actual, status, sent.slice(0, 60));
    assert.match(message, words);
  }
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
});

test("reports a request that timed out", async () => {
  await using service = await startApp();
  const port = Number(new URL(await service.listen()).port);
  const { server } = service.app;
  server.once("connection", (socket) =>
    server.emit("clientError", Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket),
  );
  assert.deepEqual(await send(port, "GET / HTTP/1.1\r\n"), [408, "The request timed out before it was complete"]);
});

test("responds to complete requests before a malformed one on the same connection", async () => {
  await using service = await startApp();
  const port = Number(new URL(await service.listen()).port);
  const host = `Host: 127.0.0.1:${port}`;
  const socket = connect(port, "127.0.0.1");
  const body = "<OTA_PingRQ/>";
  const post = `POST /channel HTTP/1.1\r\n${host}\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  socket.write(`GET /property HTTP/1.1\r\n${host}\r\n\r\n${post}/OTA_PingRQ> and more\r\n\r\n`);
  socket.write("and more\r\n\r\n");
  const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  assert.deepEqual(statuses, ["200", "200", "400"]);
});
