import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../app.ts";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../db/database.ts";
import { isOpenToOthers } from "../db/folder.ts";
import { openDatabase } from "../db/open.ts";
import type { Alerts } from "../errors/alerts/alerts.ts";
import { logUnhandledRejections, watchProcess } from "../errors/process-hooks.ts";
import { MessageThreads } from "../modules/channel/message-threads.ts";
import { shellQuote } from "../web/shell-quote.ts";
import { type Command, takeNoMore } from "./command.ts";
import { credentialsOf } from "./credential.ts";
import { errorLogOf } from "./error-log.ts";
import { checkClock, type Housekeeping, startHousekeeping } from "./housekeeping.ts";
import { loggerOptions } from "./logger.ts";
import { keepHeapSmall } from "./memory.ts";
import { migrateWithBackup } from "./store.ts";

/** Supervisors wait ten seconds or more before they end a process by force, so who still waits for an answer after this is cut off. */
const FINISH_WITHIN_MS = 8_000;
/** Errors that no database took until then go to their spool, which needs none. */
const SPOOL_AFTER_MS = 9_000;
const SWEEP_MS = 50;
const SIGNALS = ["SIGTERM", "SIGINT"] as const;
/** Handlers of requests that were cut off find out a few turns of the event loop later, and record it then. */
const RECORD_WITHIN_MS = 500;

/** The service cannot start for a reason that the person at the terminal can mend. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export const serveCommand: Command = {
  name: "serve",
  usage: "serve",
  about: "migrate the database and answer requests (what npm start does)",
  async run(args) {
    takeNoMore(args, "npm start; settings come from the environment, see .env.example");
    keepHeapSmall();
    const config = readConfig();
    const database = await openDatabase(config.values.DATABASE_URL, config.dataDir);
    await migrateWithBackup(database, config, systemClock);
    const errors = errorLogOf(config, database, systemClock);
    watchProcess(errors);
    const credentials = await credentialsOf(config, database, systemClock);
    const threads = new MessageThreads({ databaseUrl: config.values.DATABASE_URL, dataDir: config.dataDir }, availableParallelism());
    const app = await buildApp({ config, clock: systemClock, database, errors, credentials, threads, logger: loggerOptions(config) });
    errors.logTo(app.log);
    for (const name of config.weakPasswords) app.log.warn(`${name} is easy to guess: only development on this machine may use it`);
    logUnhandledRejections(app.log);
    if (isOpenToOthers(config.dataDir)) app.log.warn(`Other users can open DATA_DIR. Run: chmod 700 ${shellQuote(config.dataDir)}`);
    const house = { config, clock: systemClock, database, errors, log: app.log };
    await lookAtClock(house);
    await listen(app, config);
    const stopHousekeeping = startHousekeeping(house);
    const alerts = await startAlerts(config, database, app.log);
    const ended = stopSignal(app).then(async () => {
      const spool = setTimeout(() => errors.spoolAll(), SPOOL_AFTER_MS);
      await closeConnections(app);
      await Promise.all([alerts?.close(), stopHousekeeping(), threads.close(), errors.close()]);
      clearTimeout(spool);
      await database.close();
    });
    announce(app, config);
    return { ended };
  },
};

/** Before anything is stored, because without a note the newest entry says how far time has come. */
async function lookAtClock(house: Housekeeping): Promise<void> {
  try {
    await checkClock(house);
  } catch (error) {
    house.log.error(error, "the clock could not be checked");
    await house.errors.record(error, undefined);
  }
}

/**
 * Loaded only where a webhook is set. It goes only to public addresses: settings should not lead into networks that only the service
 * reaches.
 */
async function startAlerts({ values }: Config, database: Database, log: FastifyInstance["log"]): Promise<Alerts | undefined> {
  const { ERROR_WEBHOOK_URL: url, ERROR_WEBHOOK_SECRET: secret, PUBLIC_URL } = values;
  if (url === undefined || secret === undefined) return undefined;
  const { Alerts } = await import("../errors/alerts/alerts.ts");
  const { isGlobalAddress } = await import("../errors/alerts/global-address.ts");
  const publicUrl = PUBLIC_URL?.href.replace(/(?<!\/)\/*$/, "/");
  return new Alerts({ database, clock: systemClock, webhook: { url, secret, isAllowed: isGlobalAddress }, log, publicUrl });
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const { HOST: host, PORT: port } = config.values;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new StartError(describeListenFault(error, host, port), { cause: error });
  }
}

/** Comes last: its reader may end the service at once. */
function announce(app: FastifyInstance, config: Config): void {
  const { HOST: host, PUBLIC_URL } = config.values;
  const { port } = app.server.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  console.log(`Roomrack is ready: ${PUBLIC_URL?.href ?? `http://${shown}:${port}/`}`);
}

function describeListenFault(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: another Roomrack may be running. Stop it, or set PORT to a free port.`;
  if (code === "EACCES") return `This user may not listen on port ${port}. Set PORT to 1024 or above.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `HOST ${host} is not an address of this machine.`;
  return `Cannot listen at HOST ${host}, PORT ${port}: ${String(error)}`;
}

/** Resolves on SIGTERM or SIGINT, after which a second signal ends the process at once. */
async function stopSignal(app: FastifyInstance): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  for (const signal of SIGNALS) process.once(signal, resolve);
  const received = await promise;
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  app.log.info(`${received}: finishing what is in flight`);
}

/** A connection that is kept alive becomes idle only after its answer, and would hold up the end for a minute. */
async function closeConnections(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  let recorded: Promise<void> | undefined;
  const limit = setTimeout(() => {
    app.server.closeAllConnections();
    recorded = sleep(RECORD_WITHIN_MS);
  }, FINISH_WITHIN_MS);
  await app.close();
  await recorded;
  clearInterval(sweep);
  clearTimeout(limit);
}
