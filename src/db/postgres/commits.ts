import { hash } from "node:crypto";
import type { Pool, PoolClient, QueryResult } from "pg";
import type { Batch, Row, Statement } from "../database.ts";
import { isStalePlan } from "../faults.ts";
import { storable } from "../text.ts";

/**
 * Runs a batch in its own transaction. A connection whose statements were prepared for another schema is replaced by
 * one without any.
 */
export async function commit<T>(pool: Pool, batch: Batch<T>): Promise<T> {
  for (;;) {
    const client = await pool.connect();
    try {
      const result = await commitOn(client, batch);
      client.release();
      return result;
    } catch (error) {
      client.release(isStalePlan(error));
      if (!isStalePlan(error)) throw error;
    }
  }
}

/** Two round trips: lock and read, each statement with a snapshot taken after the lock; then write and commit. */
async function commitOn<T>(client: PoolClient, { lock, read, decide }: Batch<T>): Promise<T> {
  const [, numbered, ...rows] = await send(client, [BEGIN, lockAndCount(lock), ...read]);
  const { write, result } = await rollbackOnThrow(client, () =>
    decide(
      rows.map((one) => one.rows as Row[]),
      Number((numbered!.rows[0] as { id: number }).id),
    ),
  );
  await send(client, [...write, COMMIT]);
  return result;
}

/** Takes `count` ids that no batch gets. A sequence gives no ranges, so it is moved past what others take meanwhile. */
export async function reserve(pool: Pool, count: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>("select setval('batch_id', nextval('batch_id') + $1) as id", [count]);
  return rows[0]!.id - count;
}

/** The server's default isolation may be another, in which reads after the lock would show the state before it. */
const BEGIN = { sql: "begin isolation level read committed", values: [] };
const COMMIT = { sql: "commit", values: [] };

/** The id is taken under the lock: a query computes its columns from left to right. */
function lockAndCount(lock: string | undefined): Statement {
  if (lock === undefined) return { sql: "select nextval('batch_id') as id", values: [] };
  return { sql: "select pg_advisory_xact_lock(hashtextextended(?, 0)), nextval('batch_id') as id", values: [lock] };
}

/** Sends all statements without waiting in between. The first failure is thrown after every answer is in. */
async function send(client: PoolClient, statements: readonly Statement[]): Promise<QueryResult[]> {
  const answers = await Promise.allSettled(sendAtOnce(client, statements));
  const failed = answers.find((answer) => answer.status === "rejected");
  if (!failed) return answers.map((answer) => (answer as PromiseFulfilledResult<QueryResult>).value);
  await rollBack(client);
  throw failed.reason;
}

/** One system call for all of them; the client makes one each, a third of the time of a short message. */
function sendAtOnce(client: PoolClient, statements: readonly Statement[]): Promise<QueryResult>[] {
  const { stream } = client.connection;
  stream.cork();
  try {
    return statements.map(({ sql, values }) => client.query({ ...named(sql), values: values.map(storable) }));
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

/** Fails only when the connection is broken: then the server has rolled back, and the pool drops it. */
async function rollBack(client: PoolClient): Promise<void> {
  await client.query("rollback").catch(() => {});
}

const names = new Map<string, { name: string; text: string }>();

/** The statement in this engine's form, `$1` for the first `?`, with the name under which the server keeps it prepared. */
function named(sql: string): { name: string; text: string } {
  return names.getOrInsertComputed(sql, nameOf);
}

function nameOf(sql: string): { name: string; text: string } {
  let count = 0;
  const text = sql.replaceAll("?", () => `$${++count}`);
  return { name: hash("sha1", text), text };
}
