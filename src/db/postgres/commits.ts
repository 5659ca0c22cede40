import { hash } from "node:crypto";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import type { Batch, Row, Statement } from "../database.ts";
import { isLocked, isReadOnly, isStalePlan } from "../faults.ts";
import { storable } from "../statements.ts";
import { beginBatch, lockOf } from "./transactions.ts";

const MAX_WAIT_MS = 15_000;

/** A waiting batch returns its connection after this time, so that batches with other locks can use it. */
const ATTEMPT_MS = 250;

/** Retries while another process holds the lock, or if the schema changed since the statements were prepared. */
export async function commitBatch<T>(pool: Pool, batch: Batch<T>): Promise<T> {
  const end = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await attempt(pool, batch);
    } catch (error) {
      if (!isStalePlan(error) && !(isLocked(error) && performance.now() < end)) throw error;
    }
  }
}

/** Closes connections with stale statements, and read-only ones: a new connection may reach the primary. */
async function attempt<T>(pool: Pool, batch: Batch<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await commitOn(client, batch);
    client.release();
    return result;
  } catch (error) {
    client.release(isStalePlan(error) || isReadOnly(error));
    throw error;
  }
}

/** Two round trips: lock and read (each statement takes its snapshot after the lock), then write and commit. */
async function commitOn<T>(client: PoolClient, { lock, read, decide }: Batch<T>): Promise<T> {
  const [, numbered, ...rows] = await send(client, [{ text: beginBatch(ATTEMPT_MS) }, ...[lockAndCount(lock), ...read].map(prepared)]);
  const { write, result } = await rollbackOnThrow(client, () =>
    decide(
      rows.map((one) => one.rows as Row[]),
      Number((numbered!.rows[0] as { id: number }).id),
    ),
  );
  await send(client, [...write.map(prepared), COMMIT]);
  return result;
}

/** More ids than batches can take while the statement below runs. */
const TAKEN_MEANWHILE = 10_000;

/** A sequence cannot reserve ranges, so it is moved past any ids that batches take meanwhile. */
export async function reserve(pool: Pool, count: number): Promise<number> {
  const text = `select ${lockOf("'roomrack: ids'")}, setval('batch_id', nextval('batch_id') + $1) as id`;
  const { rows } = await pool.query<{ id: number }>(text, [TAKEN_MEANWHILE + count]);
  return rows[0]!.id - count + 1;
}

const COMMIT: QueryConfig = { text: "commit" };

function lockAndCount(lock: string | undefined): Statement {
  if (lock === undefined) return { sql: "select nextval('batch_id') as id", values: [] };
  return { sql: `select ${lockOf("?")}, nextval('batch_id') as id`, values: [lock] };
}

async function send(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult[]> {
  const answers = await Promise.allSettled(sendAtOnce(client, queries));
  const failed = answers.find((answer) => answer.status === "rejected");
  if (!failed) return answers.map((answer) => (answer as PromiseFulfilledResult<QueryResult>).value);
  await rollBack(client);
  throw failed.reason;
}

/** Corks the socket, so that all queries go out in one system call instead of one each. */
function sendAtOnce(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult>[] {
  const { stream } = client.connection;
  stream.cork();
  try {
    return queries.map((query) => client.query(query));
  } finally {
    stream.uncork();
  }
}

async function rollbackOnThrow<T>(client: PoolClient, work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** A broken connection makes this fail, but then the server has rolled back. */
async function rollBack(client: PoolClient): Promise<void> {
  await client.query("rollback").catch(() => {});
}

const names = new Map<string, { name: string; text: string }>();

function prepared({ sql, values }: Statement): QueryConfig {
  return { ...names.getOrInsertComputed(sql, nameOf), values: values.map(storable) };
}

function nameOf(sql: string): { name: string; text: string } {
  let count = 0;
  const text = sql.replaceAll("?", () => `$${++count}`);
  return { name: hash("sha1", text), text };
}
