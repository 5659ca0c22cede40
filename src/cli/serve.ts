import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../app.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { shareConnections } from "../db/connections.ts";
import type { Database, ReplicaOptions } from "../db/database.ts";
import { isOpenToOthers } from "../db/folder.ts";
import { openDatabase } from "../db/open.ts";
import type { ErrorAlerts } from "../errors/alerts/alerts.ts";
import { logUnhandledRejections, watchProcess } from "../errors/recorder.ts";
import { MessageThreads } from "../modules/channel/message-threads.ts";
import { addressRule } from "../outgoing/addresses.ts";
import { currentReplicaStatus } from "../web/replica-reading.ts";
import { shellQuote } from "../web/shell-command.ts";
import { startAlertChecks } from "./alert-checks.ts";
import { startChangePositions } from "./change-positions.ts";
import { type ListeningService, StartError } from "./command.ts";
import { loadCredentials } from "./credential.ts";
import { drainConnections } from "./drain.ts";
import { openErrorLog } from "./error-log.ts";
import { checkClock, type HousekeepingDeps, startHousekeeping } from "./housekeeping.ts";
import { loggerOptions } from "./logger.ts";
import type { StopRequest } from "./stop.ts";
import { migrateWithBackup } from "./store.ts";
import { startSummaries } from "./summaries.ts";
import { startWebhooks } from "./webhooks.ts";

const SPOOL_DELAY_MS = 1_000;
const SWEEP_INTERVAL_MS = 50;
/** Time for handlers of aborted requests to record errors, which takes a few turns of the event loop. */
const RECORD_TIMEOUT_MS = 500;

function replicaOptions({ values }: Config): ReplicaOptions | undefined {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_MAX_DELAY: seconds } = values;
  return url === undefined ? undefined : { url, maxDelayMs: seconds * 1_000, reading: currentReplicaStatus };
}

/** Migrates the database and serves requests until `untilStopped` resolves. */
export async function startService(config: Config, untilStopped: () => Promise<StopRequest>): Promise<ListeningService> {
  const { DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: total } = config.values;
  const wantedThreads = Math.max(1, Math.floor(availableParallelism() / config.workers));
  const { limits, threads: threadCount } = shareConnections({ total, processes: config.workers, threads: wantedThreads });
  const database = await openDatabase(databaseUrl, config.dataDir, { limits, replica: replicaOptions(config) });
  await migrateWithBackup(database, config, systemClock);
  const errors = openErrorLog(config, database, systemClock);
  watchProcess(errors);
  const credentials = await loadCredentials(config, database, systemClock);
  const threads = threadCount === 0 ? undefined : new MessageThreads({ databaseUrl, dataDir: config.dataDir }, threadCount);
  const app = await buildApp({ config, clock: systemClock, database, errors, credentials, threads, logger: loggerOptions(config) });
  errors.logTo(app.log);
  if (config.values.METRICS_PORT !== undefined)
    (await import("./metrics.ts")).startMeasuring({ server: app.server, database, prefix: config.prefix });
  for (const name of config.weakPasswords) app.log.warn(`${name} is easy to guess; it is accepted only in development on this machine`);
  logUnhandledRejections(app.log);
  if (isOpenToOthers(config.dataDir)) app.log.warn(`Other users can open DATA_DIR. Run: chmod 700 ${shellQuote(config.dataDir)}`);
  const housekeeping = { config, clock: systemClock, database, errors, log: app.log };
  await checkClockSafely(housekeeping);
  await listenForRequests(app, config);
  const stopHousekeeping = startHousekeeping(housekeeping);
  const stopChangePositions = startChangePositions(database, errors);
  const stopSummaries = startSummaries(database, systemClock, errors);
  const rule = addressRule(config.values.WEBHOOK_NETWORKS);
  const stopWebhooks = startWebhooks({ database, clock: systemClock, rule, log: app.log }, errors);
  const stopAlertChecks = await startAlertChecks({ config, database, clock: systemClock, errors });
  const alerts = await startAlerts(config, database, app.log);
  const serviceEnd = untilStopped().then(async ({ reason, finishWithinMs }) => {
    app.log.info(`${reason}: finishing requests in flight`);
    await drainConnections(app.server, config.values.DRAIN_SECONDS * 1_000);
    const spoolTimer = setTimeout(() => errors.spoolAll(), finishWithinMs + SPOOL_DELAY_MS);
    await closeConnections(app, finishWithinMs);
    const stopFunctions = [stopHousekeeping, stopChangePositions, stopSummaries, stopWebhooks, stopAlertChecks];
    await Promise.all([alerts?.close(), ...stopFunctions.map((stop) => stop()), threads?.close(), errors.close()]);
    clearTimeout(spoolTimer);
    await database.close();
  });
  return { port: (app.server.address() as AddressInfo).port, ended: serviceEnd };
}

/** Checks the clock. Call before anything is stored, because the newest log entry sets the initial pruning time. */
async function checkClockSafely(housekeeping: HousekeepingDeps): Promise<void> {
  try {
    await checkClock(housekeeping);
  } catch (error) {
    housekeeping.log.error(error, "the clock could not be checked");
    await housekeeping.errors.record(error, undefined);
  }
}

async function startAlerts({ values, workers }: Config, database: Database, log: FastifyInstance["log"]): Promise<ErrorAlerts | undefined> {
  const { ERROR_WEBHOOK_URL: url, ERROR_WEBHOOK_SECRET: secret, PUBLIC_URL } = values;
  if (url === undefined || secret === undefined) return undefined;
  const { ErrorAlerts } = await import("../errors/alerts/alerts.ts");
  const publicUrl = PUBLIC_URL?.href.replace(/(?<!\/)[/]*$/, "/");
  return new ErrorAlerts({
    database,
    clock: systemClock,
    webhook: { url, secrets: [secret], rule: addressRule(values.WEBHOOK_NETWORKS) },
    log,
    publicUrl,
    workers,
  });
}

async function listenForRequests(app: FastifyInstance, config: Config): Promise<void> {
  const { HOST: host, PORT: port } = config.values;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new StartError(describeListenError(error, host, port), { cause: error });
  }
}

function describeListenError(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: another Roomrack may be running. Stop it, or set PORT to a free port.`;
  if (code === "EACCES") return `This user is not allowed to listen on port ${port}. Set PORT to 1024 or higher.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `HOST ${host} is not an address of this machine.`;
  return `Cannot listen at HOST ${host}, PORT ${port}: ${String(error)}`;
}

/** Closes keep-alive connections as soon as they are idle, because they would delay the exit by up to a minute. */
async function closeConnections(app: FastifyInstance, finishWithinMs: number): Promise<void> {
  const sweepTimer = setInterval(() => app.server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  let recorded: Promise<void> | undefined;
  const closeTimer = setTimeout(() => {
    app.server.closeAllConnections();
    recorded = sleep(RECORD_TIMEOUT_MS);
  }, finishWithinMs);
  await app.close();
  await recorded;
  clearInterval(sweepTimer);
  clearTimeout(closeTimer);
}
