import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { deltaMessage } from "../../support/messages.ts";

export type RealSender = { url: string; headers: Readonly<Record<string, string>>; property: number };

export type Latency = { p50: number; p99: number; statuses: Record<string, number> };

const PAUSE_MS = 20;

/** Measures a sender's latency. The last message may take up to a second longer; after that, it counts as having no response. */
export async function measureSender(sender: RealSender, seconds: number): Promise<Latency> {
  using agent = new DisposableAgent();
  const end = performance.now() + seconds * 1000;
  const waits: number[] = [];
  const statuses: Record<string, number> = {};
  for (let turn = 0; performance.now() < end; turn++) {
    const start = performance.now();
    const status = await post(sender, { agent, body: deltaMessage(sender.property, turn), limit: end - start + 1000 });
    waits.push(performance.now() - start);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await sleep(PAUSE_MS);
  }
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), statuses };
}

class DisposableAgent extends Agent implements Disposable {
  constructor() {
    super({ keepAlive: true, maxSockets: 1 });
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

type PostOptions = { agent: Agent; body: string; limit: number };

function post({ url, headers }: RealSender, { agent, body, limit }: PostOptions): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const options = { method: "POST", agent, headers: { ...headers, "content-length": Buffer.byteLength(body) } };
  const sent = request(`${url}/channel`, options, (response) => {
    response.resume().once("end", () => resolve(String(response.statusCode)));
  });
  sent.setTimeout(limit, () => sent.destroy(new Error("no response")));
  sent.once("error", (error) => resolve(error.message));
  sent.end(body);
  return promise;
}

export function describeLatency({ p50, p99, statuses }: Latency): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${counts.join(", ")})`;
}
