import type { IncomingMessage, Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { stopwatch } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { migrationHistory } from "../db/migrate.ts";
import { modules } from "../modules/modules.ts";

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DATABASE_TIMEOUT_MS = 2_000;

const MODULE_NAMES: ReadonlySet<string> = new Set(modules.map(({ name }) => name));

export type MeasuredService = { server: Server; database: Database; prefix: string };

/** Exports Prometheus metrics for this process and its requests. */
export function startMeasuring({ server, database, prefix }: MeasuredService): void {
  collectDefaultMetrics();
  const durations = new Histogram({
    name: "roomrack_http_request_duration_seconds",
    help: "Time from the request's headers to the end of the response",
    labelNames: ["module", "method", "status"],
    buckets: DURATION_BUCKETS,
  });
  server.on("request", (request, response) => {
    const elapsed = stopwatch();
    const module = moduleLabel(request, prefix);
    response.once("close", () => durations.observe({ module, method: request.method, status: response.statusCode }, elapsed() / 1_000));
  });
  register.registerMetric(
    new Gauge({
      name: "roomrack_database_up",
      help: "1 if the database responds within 2 seconds, otherwise 0",
      aggregator: "min",
      registers: [],
      async collect() {
        this.set(await isDatabaseUp(database));
      },
    }),
  );
}

/** Returns the module in the path, or `home`. All other paths share one label, because clients can request any number of paths. */
function moduleLabel({ url = "/" }: IncomingMessage, prefix: string): string {
  const [, segment = ""] = /^\/([^/?]*)/.exec(url.startsWith(prefix) ? url.slice(prefix.length) : url) ?? [];
  if (segment === "") return "home";
  return MODULE_NAMES.has(segment) ? segment : "other";
}

async function isDatabaseUp(database: Database): Promise<number> {
  const timeout = sleep(DATABASE_TIMEOUT_MS, 0, { ref: false });
  return Promise.race([
    migrationHistory(database).then(
      () => 1,
      () => 0,
    ),
    timeout,
  ]);
}
