import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";

const CONNECT = "CONNECT rooms.example:443 HTTP/1.1\r\nHost: rooms.example:443\r\n\r\n";

async function sendConnect(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.write(CONNECT, () => resolve(socket)));
  socket.on("error", reject);
  return promise;
}

test("survives a CONNECT request whose client disconnects before the response", async () => {
  await using service = await startApp();
  const address = await service.listen();
  for (let round = 0; round < 50; round++) (await sendConnect(Number(new URL(address).port))).resetAndDestroy();
  assert.equal((await fetch(`${address}/assets/none`)).status, 404);
});

test("survives a CONNECT request that is pipelined after another request", async () => {
  await using service = await startApp();
  const address = await service.listen();
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket
    .on("error", () => {})
    .end(`GET /property HTTP/1.1\r\nHost: rooms.example\r\n\r\n${CONNECT}`)
    .resume();
  await once(socket, "close");
  assert.equal((await fetch(`${address}/assets/none`)).status, 404);
});

test("shuts down even if the client of a CONNECT request stays connected", async () => {
  const service = await startApp();
  const socket = await sendConnect(Number(new URL(await service.listen()).port));
  const { promise: answered, resolve } = Promise.withResolvers<unknown>();
  socket.once("data", resolve);
  await answered;
  await service.close();
  socket.destroy();
});
