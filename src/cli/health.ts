import cluster from "node:cluster";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { AggregatorRegistry, type PrometheusContentType, register } from "prom-client";
import { createServer } from "../web/node-http.ts";
import { StartError } from "./command.ts";

export type HealthServer = { setReady(isReady: boolean): void; close(): void };

type MetricsAggregator = AggregatorRegistry<PrometheusContentType>;
type HealthResponse = { status: number; type?: string; body: string };

/**
 * Serves `/livez`, `/readyz` and `/metrics` on a separate port, so that they are not public. A primary process adds up its workers'
 * metrics. A database outage doesn't affect readiness: it affects all processes, and their error pages explain it better than a proxy's.
 */
export async function startHealth(host: string, port: number): Promise<HealthServer> {
  let isReady = false;
  const aggregator = shareMetrics();
  const responders: Readonly<Record<string, () => Promise<HealthResponse> | HealthResponse>> = {
    "/livez": () => ({ status: 200, body: "live\n" }),
    "/readyz": () => (isReady ? { status: 200, body: "ready\n" } : { status: 503, body: "starting or stopping\n" }),
    "/metrics": async () => ({ status: 200, type: register.contentType, body: await readMetrics(aggregator) }),
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0]!;
    const respond = Object.hasOwn(responders, path) ? responders[path]! : () => ({ status: 404, body: "not found\n" });
    void Promise.resolve(respond())
      .catch((error: unknown) => ({ status: 503, body: `${String(error)}\n` }))
      .then((found) => sendResponse(response, found));
  });
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw new StartError(`Cannot listen at HOST ${host}, METRICS_PORT ${port}: ${String(error)}`, { cause: error });
  });
  return {
    setReady: (ready) => (isReady = ready),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Call as early as possible in a worker, because the primary waits for metrics from all workers. */
export function shareMetrics(): MetricsAggregator {
  return new AggregatorRegistry();
}

function readMetrics(aggregator: MetricsAggregator): Promise<string> {
  return Object.keys(cluster.workers ?? {}).length > 0 ? aggregator.clusterMetrics() : register.metrics();
}

function sendResponse(response: ServerResponse, { status, type = "text/plain; charset=utf-8", body }: HealthResponse): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}
