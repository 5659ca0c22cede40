import cluster from "node:cluster";
import { type Config, readConfig } from "../config.ts";
import { type Command, type Listening, takeNoMore } from "./command.ts";
import { keepHeapSmall } from "./memory.ts";
import { stopFromPrimary, stopSignal } from "./stop.ts";

export const serveCommand: Command = {
  name: "serve",
  usage: "serve",
  about: "migrate the database and answer requests (what npm start does)",
  async run(args) {
    takeNoMore(args, "npm start; settings come from the environment, see .env.example");
    keepHeapSmall();
    const config = readConfig();
    if (cluster.isWorker) return work(config);
    const started = await start(config);
    announce(config, started.port);
    return started;
  },
};

/** In this process alone, or in several workers, for which the primary process loads little. */
async function start(config: Config): Promise<Listening> {
  if (config.workers === 1) return (await import("./serve.ts")).startService(config, stopSignal);
  return (await import("./primary.ts")).startWorkers(config.workers);
}

/** Closes the channel to the primary last, because it would keep the process alive. */
async function work(config: Config): Promise<Listening> {
  const stopped = stopFromPrimary();
  const { startService } = await import("./serve.ts");
  const { port, ended } = await startService(config, () => stopped);
  return { port, ended: ended.then(() => process.disconnect?.()) };
}

/** Comes last, because its reader may end the service at once. */
function announce({ values }: Config, port: number): void {
  const { HOST: host, PUBLIC_URL } = values;
  const shown = host.includes(":") ? `[${host}]` : host;
  console.log(`Roomrack is ready: ${PUBLIC_URL?.href ?? `http://${shown}:${port}/`}`);
}
