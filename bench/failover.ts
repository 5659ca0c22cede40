import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { migrate } from "../src/db/migrate.ts";
import { openDatabase } from "../src/db/open.ts";
import { errorMessage } from "../src/web/http-error.ts";
import { causeFault, FAULTS, Observer } from "../test/support/failovers.ts";
import { freePort } from "../test/support/free-port.ts";
import { killRepeatedly, SENDERS } from "../test/support/kills.ts";
import { PatroniCluster } from "../test/support/patroni-cluster.ts";
import { seedProperties } from "../test/support/seeded-place.ts";
import { startServer } from "./support/child.ts";

/**
 * Replaces the primary of a Patroni cluster and stops etcd members while messages arrive, then checks that every acknowledged message is
 * stored, that each outage was short and that pages returned only 200, or 503 during a failover.
 */
const USAGE = "npm run failover -- [--failovers N] [--workers N] [--haproxy]";
const LIMIT_MS = 10_000;

const values = readOptions();
const failovers = readNumber("failovers", values.failovers ?? "20");
const workers = readNumber("workers", values.workers ?? "1");
const folder = mkdtempSync(join(tmpdir(), "roomrack-failover-"));
const cluster = await PatroniCluster.start();
try {
  const { url, proxyUrl, standbyUrl } = cluster;
  process.exitCode = await run(
    values.haproxy === true ? { DATABASE_URL: proxyUrl, DATABASE_REPLICA_URL: standbyUrl } : { DATABASE_URL: url },
  );
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(databases: { DATABASE_URL: string; DATABASE_REPLICA_URL?: string }): Promise<number> {
  await createRecords(databases.DATABASE_URL);
  const settings = { ...databases, DATA_DIR: folder, PORT: String(await freePort()), WORKERS: String(workers), LOG_LEVEL: "fatal" };
  await using server = await startServer(["src/start.mjs", "serve"], settings);
  const observer = new Observer(SENDERS, server.url);
  const outages: number[] = [];
  const kill = async () => {
    const fault = FAULTS[outages.length % FAULTS.length]!;
    const outage = await causeFault(cluster, fault, observer);
    outages.push(outage);
    console.log(`${fault}: ${seconds(outage)} without an acknowledged message`);
  };
  // Returns the running service, because a failover doesn't restart it.
  const start = async () => ({ origin: server.url, kill, stop: async () => {} });
  const report = await killRepeatedly({ start, settings, workers: 1, kills: failovers }).finally(() => observer.stop());
  const { shown, unavailable, longestMs, wrong } = observer.pages;
  for (const line of [...report.lost, ...wrong].slice(0, 20)) console.log(line);
  const longest = Math.max(...outages);
  console.log(`${failovers} faults, ${report.acknowledged} messages acknowledged, ${report.lost.length} lost`);
  console.log(`Outages: longest ${seconds(longest)}, median ${seconds(median(outages))}, limit ${seconds(LIMIT_MS)}`);
  console.log(`Pages: ${shown} shown, ${unavailable} with status 503, ${wrong.length} wrong, longest wait ${seconds(longestMs)}`);
  return report.lost.length === 0 && wrong.length === 0 && longest <= LIMIT_MS ? 0 : 1;
}

async function createRecords(url: string): Promise<void> {
  const database = await openDatabase(url, folder);
  await migrate(database);
  await seedProperties(database, SENDERS + 1);
  await database.close();
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

function readOptions() {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ options: { failovers: text, workers: text, haproxy: { type: "boolean" } } }).values;
  } catch (error) {
    return refuse(errorMessage(error));
  }
}

function readNumber(name: string, text: string): number {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : refuse(`--${name} must be a whole number of at least 1, not '${text}'.`);
}

function refuse(reason: string): never {
  console.error(`${reason}\nUsage: ${USAGE}`);
  process.exit(2);
}
