import cluster from "node:cluster";
import { type Config, readConfig } from "../config.ts";
import { type Command, expectNoMoreArguments, type ListeningService } from "./command.ts";
import { keepHeapSmall } from "./memory.ts";
import { type StopRequest, stopFromPrimary, stopSignal } from "./stop.ts";

export const serveCommand: Command = {
  name: "serve",
  usage: "serve",
  about: "migrate the database and start the service (same as npm start)",
  async run(args) {
    expectNoMoreArguments(args, "npm start (settings are environment variables, see .env.example)");
    keepHeapSmall();
    const config = readConfig();
    if (cluster.isWorker) return runWorker(config);
    const service = await startServer(config);
    announceUrl(config, service.port);
    return service;
  },
};

/** Starts the service. With several workers, the primary process doesn't load the service, to save memory. */
async function startServer(config: Config): Promise<ListeningService> {
  const { HOST: host, METRICS_PORT: metricsPort } = config.values;
  const health = metricsPort === undefined ? undefined : await (await import("./health.ts")).startHealth(host, metricsPort);
  const untilStopped = async () => {
    const stop = await stopSignal();
    health?.setReady(false);
    return stop;
  };
  const { port, ended } = await startProcesses(config, untilStopped);
  health?.setReady(true);
  return { port, ended: ended.finally(() => health?.close()) };
}

async function startProcesses(config: Config, untilStopped: () => Promise<StopRequest>): Promise<ListeningService> {
  if (config.workers === 1) return (await import("./serve.ts")).startService(config, untilStopped);
  return (await import("./primary.ts")).startWorkers(config.workers, untilStopped);
}

/** Serves requests in a worker. Disconnects from the primary at the end, because an open connection would keep the process alive. */
async function runWorker(config: Config): Promise<ListeningService> {
  const stopRequest = stopFromPrimary();
  if (config.values.METRICS_PORT !== undefined) (await import("./health.ts")).shareMetrics();
  const { startService } = await import("./serve.ts");
  const { port, ended } = await startService(config, () => stopRequest);
  return { port, ended: ended.then(() => process.disconnect?.()) };
}

/** Prints that the service is ready. Call last, because a script that reads this line may stop the service immediately. */
function announceUrl({ values }: Config, port: number): void {
  const { HOST: host, PUBLIC_URL } = values;
  const urlHost = host.includes(":") ? `[${host}]` : host;
  console.log(`Roomrack is ready: ${PUBLIC_URL?.href ?? `http://${urlHost}:${port}/`}`);
}
