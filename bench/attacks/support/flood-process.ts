import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Flood, FloodResult } from "./flood.ts";

/** Stops a runaway loop. No attack sends this many requests. */
const MAX_REQUESTS = 200_000;

/**
 * A request with a larger body closes its connection, because opening a new one is faster than waiting for the service to read the rest of
 * the body.
 */
const KEPT_ALIVE_BYTES = 100_000;

process.on("message", async (attack: Flood) => {
  process.send!(await run(attack));
});

async function run(attack: Flood): Promise<FloodResult> {
  const flooded: FloodResult = { statuses: {}, broken: 0 };
  const end = performance.now() + attack.seconds * 1000;
  let sent = 0;
  const isOver = () => performance.now() >= end || ++sent > MAX_REQUESTS;
  const attackers = Array.from({ length: attack.connections }, async () => {
    while (!isOver()) await connection(attack, flooded, isOver, end);
  });
  await Promise.all(attackers);
  return flooded;
}

// oxlint-disable-next-line max-params -- these are the state of one flood
function connection(attack: Flood, flooded: FloodResult, isOver: () => boolean, end: number): Promise<void> {
  const { hostname, port } = new URL(attack.url);
  const body = Buffer.from(attack.body, "base64");
  const request = Buffer.concat([Buffer.from(headOf(attack, body.length)), body]);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<void>();
  const trickle = attack.trickleMs === undefined ? undefined : setInterval(() => socket.write("x"), attack.trickleMs);
  const stop = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()));
  let received = "";
  let answered = false;
  const count = () => {
    const head = received.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
    if (head < 0 || received.length < head + 4 + length) return;
    const status = received.slice(9, 12);
    flooded.statuses[status] = (flooded.statuses[status] ?? 0) + 1;
    answered = true;
    received = "";
    if (isOver() || body.length > KEPT_ALIVE_BYTES) return void socket.destroy();
    socket.write(request);
  };
  socket.on("connect", () => socket.write(request));
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
    count();
  });
  socket.on("error", () => {});
  socket.on("close", async () => {
    clearInterval(trickle);
    clearTimeout(stop);
    if (!answered && performance.now() < end) {
      flooded.broken++;
      await sleep(10);
    }
    resolve();
  });
  return promise;
}

function headOf({ url, headers, declaredLength }: Flood, length: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `POST /channel HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${lines.join("\r\n")}\r\nContent-Length: ${declaredLength ?? length}\r\n\r\n`;
}
