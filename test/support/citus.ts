import { randomBytes } from "node:crypto";
import { Client } from "pg";

export type CitusDatabase = AsyncDisposable & { url: string };

/** Creates a database on the coordinator at `url` and on its workers. It has the Citus extension, but no tables. */
export async function createCitusDatabase(url: string): Promise<CitusDatabase> {
  const coordinator = new URL(url);
  const workers = await query<{ node_name: string; node_port: string }>(url, "select * from citus_get_active_worker_nodes()");
  const name = `roomrack_test_${randomBytes(8).toString("hex")}`;
  const servers = [coordinator.host, ...workers.map((worker) => `${worker.node_name}:${worker.node_port}`)];
  const urlsOf = (database: string) =>
    servers.map((host) => Object.assign(new URL(coordinator), { host, pathname: `/${database}` }).href) as [string, ...string[]];
  const urls = urlsOf(name);
  for (const server of urlsOf("postgres")) await query(server, `create database ${name}`);
  for (const database of urls) await query(database, "create extension citus");
  await query(urls[0], `select citus_set_coordinator_host('${coordinator.hostname}', ${coordinator.port})`);
  for (const worker of workers) await query(urls[0], `select citus_add_node('${worker.node_name}', ${worker.node_port})`);
  return {
    url: urls[0],
    async [Symbol.asyncDispose]() {
      for (const server of urlsOf("postgres")) await query(server, `drop database ${name} with (force)`);
    },
  };
}

/** Runs a statement on a connection of its own. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
