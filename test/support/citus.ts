import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { until } from "./until.ts";

export type CitusDatabase = AsyncDisposable & { url: string; workers: readonly string[] };

/** Creates a database on the coordinator at `url` and on its workers. It has the Citus extension, but no tables. */
export async function createCitusDatabase(url: string): Promise<CitusDatabase> {
  const coordinator = new URL(url);
  const workers = await query<Worker>(url, WORKERS);
  const name = `roomrack_test_${randomBytes(8).toString("hex")}`;
  const servers = [coordinator.host, ...workers.map((worker) => `${worker.node_name}:${worker.node_port}`)];
  const urlsOf = (database: string) =>
    servers.map((host) => Object.assign(new URL(coordinator), { host, pathname: `/${database}` }).href) as [string, ...string[]];
  const urls = urlsOf(name);
  await Promise.all(urlsOf("postgres").map((server) => query(server, `create database ${name}`)));
  await Promise.all(urls.map((database) => query(database, "create extension citus")));
  await query(urls[0], `select citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`);
  // Fewer shards than the default make the tests faster.
  await query(urls[0], `alter database ${name} set citus.shard_count = 2`);
  for (const worker of workers) await query(urls[0], `select citus_add_node('${worker.node_name}', ${worker.node_port})`);
  return {
    url: urls[0],
    workers: urls.slice(1),
    async [Symbol.asyncDispose]() {
      await Promise.all(urlsOf("postgres").map((server) => query(server, `drop database ${name} with (force)`)));
    },
  };
}

/** Runs a statement on a separate connection. */
async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const WORKERS = "select node_name, node_port from citus_get_active_worker_nodes() order by node_port";

type Worker = { node_name: string; node_port: string };

/** Kills all processes of the first worker, and restarts it with the same options. The cluster must run on this machine. */
export async function restartWorker(url: string): Promise<void> {
  const [worker] = await query<Worker>(url, WORKERS);
  const workerUrl = Object.assign(new URL(url), { host: `${worker!.node_name}:${worker!.node_port}` }).href;
  const [data] = await query<{ data_directory: string }>(workerUrl, "show data_directory");
  const lockFile = join(data!.data_directory, "postmaster.pid");
  const pid = Number.parseInt(readFileSync(lockFile, "utf8"), 10);
  const [program, ...args] = listIn(pid, "cmdline");
  const env = Object.fromEntries(listIn(pid, "environ").map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const { uid, gid } = statSync(`/proc/${pid}`);
  const pids = [pid, ...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number)];
  for (const one of pids) kill(one);
  await until("the worker to end", () => pids.every((one) => !isRunning(one)));
  rmSync(lockFile);
  // Without `-F` (no fsync), the server would first sync all files, which takes half a minute on a slow disk.
  spawn(program!, [...args, "-F"], { env, uid, gid, detached: true, stdio: "ignore" }).unref();
  await until("the worker to start", () =>
    query(workerUrl, "select").then(
      () => true,
      () => false,
    ),
  );
}

function listIn(pid: number, file: string): string[] {
  return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0").slice(0, -1);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}

/** Returns whether a process is running. A process that has ended but is still listed has an empty command line. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0;
  } catch {
    return false;
  }
}
