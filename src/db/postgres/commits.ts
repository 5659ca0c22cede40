import { hash } from "node:crypto";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import type { Batch, LongBatch, Row, Statement } from "../database.ts";
import { checkChanges, isLocked, isReadOnly, isStaleStatement } from "../faults.ts";
import { storable } from "../statements.ts";
import { liftIdLimit } from "./log-parts.ts";
import { beginBatch, LOCK_ROW, lockStatement } from "./transactions.ts";

const MAX_WAIT_MS = 15_000;

/** A waiting batch returns its connection to the pool after this time, so that batches with other locks can use it. */
const ATTEMPT_MS = 250;

/** If `lockRow` is true, the property's row is also locked. */
type Commits = { pool: Pool; lockRow: boolean };

/**
 * Retries while another process holds the lock, after a conflict with another transaction, if the schema has changed since the statements
 * were prepared, or if the part of the log ended too early.
 */
export async function commitBatch<T>(commits: Commits, batch: Batch<T>): Promise<T> {
  const end = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await attempt(commits, batch);
    } catch (error) {
      if (isStaleStatement(error) || (isLocked(error) && performance.now() < end)) continue;
      if (!(await liftIdLimit(commits.pool, error))) throw error;
    }
  }
}

/** Runs a batch once. Closes the connection if it has stale statements or is read-only, because a new connection may reach the primary. */
async function attempt<T>({ pool, lockRow }: Commits, batch: Batch<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await commitOn(client, batch, lockRow ? LOCK_ROW : undefined);
    client.release();
    return result;
  } catch (error) {
    client.release(isStaleStatement(error) || isReadOnly(error));
    throw error;
  }
}

/**
 * Runs a batch on a connection. Takes two round trips: lock and read, then write and commit. Each statement takes its snapshot after the
 * lock.
 */
async function commitOn<T>(client: PoolClient, { lock, read, decide }: Batch<T>, lockRow: string | undefined): Promise<T> {
  const rowLock = lock === undefined || lockRow === undefined ? [] : [{ sql: lockRow, values: [lock] }];
  const statements = [lockAndCount(lock), ...rowLock, ...read];
  const [, numbered, ...others] = await send(client, [{ text: beginBatch(ATTEMPT_MS) }, ...statements.map(preparedQuery)]);
  const rows = others.slice(rowLock.length);
  const { write, result } = await rollbackOnThrow(client, () =>
    decide(
      rows.map((answer) => answer.rows as Row[]),
      Number((numbered!.rows[0] as { id: number }).id),
    ),
  );
  await send(client, [...write.map(preparedQuery), COMMIT]);
  return result;
}

/**
 * A server's lock table holds a few thousand locks. A batch that needs more takes none. Its statements can set `changes`, so that they
 * never overwrite a record that has changed.
 */
const MAX_LOCKS = 4_000;

/** Commits a long batch. Each step takes two round trips: read, then write. */
export async function commitLong(pool: Pool, { locks, steps }: LongBatch): Promise<void> {
  const client = await pool.connect();
  try {
    await send(client, [{ text: beginBatch(MAX_WAIT_MS) }, ...lockAll(locks)]);
    for (const { read, decide } of steps) {
      const rows = await send(client, read.map(preparedQuery));
      const write = await rollbackOnThrow(client, () => decide(rows.map((answer) => answer.rows as Row[])));
      const answers = await send(client, write.map(preparedQuery));
      await rollbackOnThrow(client, () => {
        for (const [index, { rowCount }] of answers.entries()) checkChanges(write[index]!, rowCount);
      });
    }
    await send(client, [COMMIT]);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Takes the locks in a fixed order, so that two long batches never wait for each other. */
function lockAll(locks: readonly string[]): QueryConfig[] {
  if (locks.length === 0 || locks.length > MAX_LOCKS) return [];
  return locks.toSorted().map((lock) => preparedQuery({ sql: `select ${lockStatement("?")}`, values: [lock] }));
}

/** Higher than the number of IDs that batches can take while `reserve` runs. */
const CONCURRENT_IDS = 10_000;

/**
 * Reserves IDs. PostgreSQL can't reserve a range of a sequence, so this moves the sequence past all IDs that concurrent batches may take.
 */
export async function reserve(pool: Pool, count: number): Promise<number> {
  const text = `select ${lockStatement("'roomrack: ids'")}, setval('batch_id', nextval('batch_id') + $1) as id`;
  const { rows } = await pool.query<{ id: number }>(text, [CONCURRENT_IDS + count]);
  return rows[0]!.id - count + 1;
}

const COMMIT: QueryConfig = { text: "commit" };

function lockAndCount(lock: string | undefined): Statement {
  if (lock === undefined) return { sql: "select nextval('batch_id') as id", values: [] };
  return { sql: `select ${lockStatement("?")}, nextval('batch_id') as id`, values: [lock] };
}

async function send(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult[]> {
  const answers = await Promise.allSettled(sendTogether(client, queries));
  const firstFailure = answers.find((answer) => answer.status === "rejected");
  if (!firstFailure) return answers.map((answer) => (answer as PromiseFulfilledResult<QueryResult>).value);
  await rollBack(client);
  throw firstFailure.reason;
}

/** Sends all queries in one system call, by corking the socket. */
function sendTogether(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult>[] {
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

/** Rolls back. Ignores errors, because the server also rolls back if the connection is broken. */
async function rollBack(client: PoolClient): Promise<void> {
  await client.query("rollback").catch(() => {});
}

const names = new Map<string, { name: string; text: string }>();

function preparedQuery({ sql, values }: Statement): QueryConfig {
  return { ...names.getOrInsertComputed(sql, statementName), values: values.map(storable) };
}

function statementName(sql: string): { name: string; text: string } {
  let count = 0;
  const text = sql.replaceAll("?", () => `$${++count}`);
  return { name: hash("sha1", text), text };
}
