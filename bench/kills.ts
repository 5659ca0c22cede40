import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { migrate } from "../src/db/migrate.ts";
import { openDatabase } from "../src/db/open.ts";
import { errorMessage } from "../src/web/http-error.ts";
import { killDuringFeed } from "../test/support/feed-kills.ts";
import { freePort } from "../test/support/free-port.ts";
import { killRepeatedly, type KillPlan, type KillReport, SENDERS } from "../test/support/kills.ts";
import { startDurablePostgres } from "../test/support/postgres-server.ts";
import { seedProperties } from "../test/support/seeded-place.ts";
import { killDuringDelivery } from "../test/support/webhook-kills.ts";
import { startServer } from "./support/child.ts";

/**
 * Kills the service (or one of several workers) while messages arrive, then checks that every acknowledged message is stored. With
 * `--webhooks`, also checks that every webhook arrives. With `--feed`, also checks that consumers of the change feed end up with all
 * nights.
 */
const USAGE = "npm run kills -- [--kills N] [--workers N] [--postgres] [--webhooks | --feed]";
const PROGRESS_EVERY = 10;
const WEBHOOKS = 10;

const values = readOptions();
const kills = readNumber("kills", values.kills ?? "200");
const workers = readNumber("workers", values.workers ?? "1");
const postgres = values.postgres === true ? await startDurablePostgres() : undefined;
const folder = mkdtempSync(join(tmpdir(), "roomrack-kills-"));
try {
  process.exitCode = await run();
} finally {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<number> {
  await createRecords();
  const settings = {
    DATA_DIR: folder,
    PORT: String(await freePort()),
    WORKERS: String(workers),
    LOG_LEVEL: "warn",
    WEBHOOK_NETWORKS: "127.0.0.1",
    ...(postgres && { DATABASE_URL: postgres.url }),
  };
  const start = async () => {
    const server = await startServer(["src/start.mjs", "serve"], settings);
    const stop = async () => server[Symbol.asyncDispose]();
    const kill = async () => {
      process.kill(server.pid, "SIGKILL");
      await stop();
    };
    return { origin: server.url, kill, stop };
  };
  const { acknowledged, lost, delivered = "" } = await killAll({ start, settings, workers, kills, onKill });
  for (const line of lost.slice(0, 20)) console.log(line);
  console.log(`${kills} kills, ${acknowledged} messages acknowledged${delivered}, ${lost.length} lost`);
  return lost.length === 0 ? 0 : 1;
}

async function killAll(plan: KillPlan): Promise<KillReport & { delivered?: string }> {
  if (values.feed === true) {
    const { changes, breaks, ...report } = await killDuringFeed(plan);
    return { ...report, delivered: `, at least ${changes} changes read by each consumer in spite of ${breaks} failed requests` };
  }
  if (values.webhooks !== true) return killRepeatedly(plan);
  const { calls, events, ...report } = await killDuringDelivery(plan, WEBHOOKS);
  return { ...report, delivered: `, ${events} webhook events received in ${calls} calls` };
}

async function createRecords(): Promise<void> {
  const database = await openDatabase(postgres?.url, folder);
  await migrate(database);
  await seedProperties(database, SENDERS);
  await database.close();
}

function onKill(done: number, acknowledged: number): void {
  if (done % PROGRESS_EVERY === 0) console.log(`${done} kills, ${acknowledged} messages acknowledged`);
}

function readOptions() {
  const text = { type: "string" } as const;
  try {
    const flag = { type: "boolean" } as const;
    return parseArgs({ options: { kills: text, workers: text, postgres: flag, webhooks: flag, feed: flag } }).values;
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
