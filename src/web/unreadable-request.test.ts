import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";

/** Sends text as it is, on a connection of its own; resolves to status and message of the answer. */
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

test("What is no request is answered with what is wrong with it", async () => {
  await using service = await startApp();
  const port = Number(new URL(await service.listen()).port);
  const host = `Host: 127.0.0.1:${port}`;
  const answers = {
    [`GET /é HTTP/1.1\r\n${host}\r\n\r\n`]: [
      400,
      /^This is no HTTP\/1\.1 request: .*url.*; a target is ASCII, with all else percent-encoded$/,
    ],
    [`GET /a b HTTP/1.1\r\n${host}\r\n\r\n`]: [400, /; a target has no blank but %20$/],
    [`get /property HTTP/1.1\r\n${host}\r\n\r\n`]: [400, /method/],
    [`GET / HTTP/1.1\r\n${host}\r\nno colon\r\n\r\n`]: [400, /header/],
    [`POST / HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`]: [400, /Transfer-Encoding/],
    [`GET / HTTP/1.1\r\n${host}\r\nX: ${"x".repeat(65_536)}\r\n\r\n`]: [
      431,
      /^The head of the request is larger than the 65,536 bytes allowed$/,
    ],
  } as const;
  for (const [sent, [status, words]] of Object.entries(answers)) {
    const [told, message] = await send(port, sent);
    assert.equal(told, status, sent.slice(0, 60));
    assert.match(message, words);
  }
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
});

test("A request that is not whole in time is answered with that", async () => {
  await using service = await startApp();
  const port = Number(new URL(await service.listen()).port);
  const { server } = service.app;
  server.once("connection", (socket) =>
    server.emit("clientError", Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket),
  );
  assert.deepEqual(await send(port, "GET / HTTP/1.1\r\n"), [408, "The request was not whole in time"]);
});

test("What came whole on a connection is answered before what is no request behind it", async () => {
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
