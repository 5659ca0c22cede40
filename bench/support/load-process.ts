import autocannon from "autocannon";
import type { Load, Measured } from "./load.ts";

process.on("message", async (load: Load) => {
  process.send!(await run(load).catch((error: unknown) => ({ failed: String(error) })));
});

async function run(load: Load): Promise<Measured | { failed: string }> {
  const requests = load.requests.map((request) => ({ ...request, headers: { ...request.headers } }));
  let clients = 0;
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    requests,
    setupClient: (client) => client.setRequests(rotate(requests, clients++, load.connections)),
    verifyBody: (body) => String(body).includes(load.contains),
  });
  const failed = describeFailure(result, load.status);
  if (failed !== undefined) return { failed };
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Connections start at different positions in the list, so that they send different requests at the same time. */
function rotate<T>(list: readonly T[], client: number, clients: number): T[] {
  const start = Math.floor((list.length * client) / clients) % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function describeFailure(result: autocannon.Result, status: number): string | undefined {
  const statuses = Object.keys(result.statusCodeStats ?? {}).map(Number);
  const unexpected = statuses.find((received) => received !== status);
  if (unexpected !== undefined) return `status ${unexpected} instead of ${status}`;
  if (result.errors > 0) return `${result.errors} requests failed`;
  if (result.mismatches > 0) return `${result.mismatches} responses without the expected text`;
  return statuses.length === 0 ? "no responses" : undefined;
}
