import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { isStrayPlan } from "../faults.ts";

const OLDEST_VERSION = 15;

/** The server, or its database, cannot store Roomrack's data. */
export class UnfitServerError extends Error {
  override readonly name = "UnfitServerError";
}

/** The server cannot be reached. */
export class UnreachableServerError extends Error {
  override readonly name = "UnreachableServerError";
}

/**
 * Throws `UnfitServerError` when the server is too old, the encoding of its database lacks characters, there is no schema to use, or a
 * pooler in between mixes up prepared statements; `UnreachableServerError` when there is no server.
 */
export async function checkServer(pool: Pool, other: Pool): Promise<void> {
  const clients: PoolClient[] = [];
  try {
    for (const one of [pool, other]) clients.push(await connect(one));
    await checkDatabase(clients[0]!);
    await checkPooler(clients);
  } finally {
    for (const client of clients) client.release();
  }
}

/** The client has many kinds of errors for a connection that failed. */
async function connect(pool: Pool): Promise<PoolClient> {
  return pool.connect().catch((error: Error & { code?: string }) => {
    throw new UnreachableServerError(error.message || error.code, { cause: error });
  });
}

async function checkDatabase(client: PoolClient): Promise<void> {
  const asked = `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
    current_database() as name, current_schema() as schema`;
  const { rows } = await client.query<{ version: string; encoding: string; name: string; schema: string | null }>(asked);
  const { version, encoding, name, schema } = rows[0]!;
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    throw new UnfitServerError(`The server has PostgreSQL ${version}; Roomrack needs ${OLDEST_VERSION} or later.`);
  if (encoding !== "UTF8")
    throw new UnfitServerError(
      `The database ${name} has the encoding ${encoding}, in which not every name can be stored. Make one with: create database ${name} encoding 'UTF8' template template0`,
    );
  if (schema === null)
    throw new UnfitServerError(
      `The database ${name} has no schema of the search_path that this user may use. Make it with: create schema NAME`,
    );
}

/** A pooler that gives each transaction any connection must know which statements are prepared where, or they go to the wrong one. */
async function checkPooler(clients: readonly PoolClient[]): Promise<void> {
  const probe = { name: `probe-${randomUUID()}`, text: "select 1" };
  try {
    for (const client of [...clients, ...clients]) await client.query(probe);
  } catch (error) {
    if (!isStrayPlan(error)) throw error;
    throw new UnfitServerError(
      "The connection pooler in front of PostgreSQL gives each transaction another connection and loses prepared statements. Set its pool_mode to session; PgBouncer from 1.21 on may keep pool_mode = transaction with max_prepared_statements = 200.",
    );
  }
}
