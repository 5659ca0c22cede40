import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { isBusyServer, isMisplacedStatement } from "../faults.ts";
import type { HostPool } from "./pool.ts";

const OLDEST_VERSION = 15;

export class UnsuitableServerError extends Error {
  override readonly name = "UnsuitableServerError";
}

export class UnreachableServerError extends Error {
  override readonly name = "UnreachableServerError";
}

const RETRY_DELAY_MS = 1_000;

/** Waits while the server or its pooler has no free connection. Throws `UnsuitableServerError` or `UnreachableServerError`. */
export async function checkServer(pool: HostPool, other: HostPool): Promise<void> {
  const clients: PoolClient[] = [];
  try {
    for (const source of [pool, other]) clients.push(await connectToPool(source));
    await checkDatabase(clients[0]!);
    await checkPooler(clients);
  } finally {
    for (const client of clients) client.release();
  }
}

async function connectToPool(pool: HostPool): Promise<PoolClient> {
  for (let isReported = false; ; isReported = true) {
    try {
      return await pool.connectNow();
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      if (!isBusyServer(error)) throw new UnreachableServerError(message || code, { cause: error });
      if (!isReported) process.stderr.write(`Waiting for a free database connection. The server or its pooler is busy: ${message}.\n`);
      await sleep(RETRY_DELAY_MS);
    }
  }
}

async function checkDatabase(client: PoolClient): Promise<void> {
  const query = `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
    current_database() as name, current_schema() as schema`;
  const { rows } = await client.query<{ version: string; encoding: string; name: string; schema: string | null }>(query);
  const { version, encoding, name, schema } = rows[0]!;
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    throw new UnsuitableServerError(`The server runs PostgreSQL ${version}; Roomrack requires ${OLDEST_VERSION} or later.`);
  if (encoding !== "UTF8")
    throw new UnsuitableServerError(
      `The database ${name} uses the encoding ${encoding}, which cannot store every name. Create one with: create database ${name} encoding 'UTF8' template template0`,
    );
  if (schema === null)
    throw new UnsuitableServerError(
      `The database ${name} has no schema on the search_path that this user can use. Create one with: create schema NAME`,
    );
}

/** Throws if a transaction pooler doesn't track prepared statements, because they would reach the wrong connection. */
async function checkPooler(clients: readonly PoolClient[]): Promise<void> {
  const probe = { name: `probe-${randomUUID()}`, text: "select 1" };
  try {
    for (const client of [...clients, ...clients]) await client.query(probe);
  } catch (error) {
    if (!isMisplacedStatement(error)) throw error;
    throw new UnsuitableServerError(
      "The connection pooler in front of PostgreSQL gives each transaction a different connection and loses prepared statements. Set pool_mode = session. PgBouncer 1.21 and later can also keep pool_mode = transaction with max_prepared_statements = 200.",
    );
  }
}
