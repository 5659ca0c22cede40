import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { stopwatch } from "../../src/clock.ts";
import type { FollowedLoad, FollowFigures } from "../cases/feed.ts";
import { countsMessage } from "./messages.ts";

const TICK_MS = 10;
const CONNECTIONS = 32;
const LATE_MS = 10_000;

/** Keeps increasing across loads, so that no message repeats the values of an earlier one. */
let turn = 0;

process.on("message", async (load: FollowedLoad) => {
  process.send!(await follow(load));
});

/** Sends messages at a steady rate and follows the feed. The delay of an event is measured from the response to its message. */
async function follow(load: FollowedLoad): Promise<FollowFigures> {
  const elapsed = stopwatch();
  const answered = new Map<number, number>();
  const arrived = new Map<number, number>();
  const stopped = new AbortController();
  const ready = Promise.withResolvers<void>();
  const listening = listen(load, stopped.signal, { onReady: ready.resolve, onMessage: (message) => void arrived.set(message, elapsed()) });
  await ready.promise;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const sending: Promise<void>[] = [];
  const started = elapsed();
  for (let sent = 0; elapsed() - started < load.seconds * 1_000; await sleep(TICK_MS)) {
    for (const due = ((elapsed() - started) * load.perSecond) / 1_000; sent < due; sent++)
      sending.push(post(load, agent, turn++).then((message) => void answered.set(message, elapsed())));
  }
  await Promise.all(sending);
  const perSecond = answered.size / ((elapsed() - started) / 1_000);
  for (let waited = 0; arrived.size < answered.size && waited < LATE_MS; waited += TICK_MS) await sleep(TICK_MS);
  stopped.abort();
  await listening;
  const delays = [...answered].map(([message, at]) => Math.max(0, (arrived.get(message) ?? Infinity) - at)).toSorted((a, b) => a - b);
  agent.destroy();
  return {
    perSecond,
    p50: delays[Math.floor(delays.length * 0.5)]!,
    p99: delays[Math.floor(delays.length * 0.99)]!,
    missing: answered.size - arrived.size,
  };
}

type Listener = { onReady(): void; onMessage(message: number): void };

async function listen({ url, reader }: FollowedLoad, signal: AbortSignal, { onReady, onMessage }: Listener): Promise<void> {
  const tip = await fetch(`${url}/rates?format=json&from=2199-12-31&to=2199-12-31`, { headers: reader });
  const { cursor } = (await tip.json()) as { cursor: string };
  const response = await fetch(`${url}/changes?kind=inventory&after=${cursor}`, {
    headers: { ...reader, accept: "text/event-stream" },
    signal,
  });
  onReady();
  let text = "";
  try {
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + part).split("\n");
      text = lines.pop()!;
      for (const [, message] of lines.join("\n").matchAll(/"message":(\d+)/g)) onMessage(Number(message));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Returns the message ID. Every message changes its nights. */
function post({ url, sender, properties }: FollowedLoad, agent: Agent, index: number): Promise<number> {
  const first = (index * 7) % 300;
  const category = Math.floor(index / properties) % 10;
  const body = countsMessage(index % properties, [{ category, first, last: first + (index % 3), count: index % 10_000 }]);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const outgoing = request(`${url}/channel`, { method: "POST", agent, headers: { ...sender, "content-length": Buffer.byteLength(body) } });
  outgoing.on("error", reject).on("response", (response) => {
    response.resume().on("end", () => resolve(Number(response.headers["x-message-id"])));
  });
  outgoing.end(body);
  return promise;
}
