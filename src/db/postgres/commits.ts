import { hash } from "node:crypto";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import type { Batch, LongBatch, Row, Statement } from "../database.ts";
import { checkChanges, isLocked, isReadOnly, isStaleStatement } from "../faults.ts";
import { toStorable } from "../statements.ts";
import { removeIdLimit } from "./log-partitions.ts";
import { beginBatch, LOCK_PROPERTY_ROW, lockStatement } from "./transactions.ts";

const MAX_LOCK_WAIT_MS = 15_000;

/** After this time, a waiting batch returns its connection to the pool, so that batches with other locks can use it. */
const ATTEMPT_TIMEOUT_MS = 250;

/** If `lockRow` is true, the property's row is also locked. */
type CommitOptions = { pool: Pool; lockRow: boolean };

/**
 * Retries while another process holds the lock, after a conflict with another transaction, if the schema has changed since the statements
 * were prepared, or if the message log's last partition was limited to lower IDs.
 */
export async function commitBatch<T>(commits: CommitOptions, batch: Batch<T>): Promise<T> {
  const end = performance.now() + MAX_LOCK_WAIT_MS;
  for (;;) {
    try {
      return await attemptBatch(commits, batch);
    } catch (error) {
      if (isStaleStatement(error) || (isLocked(error) && performance.now() < end)) continue;
      if (!(await removeIdLimit(commits.pool, error))) throw error;
    }
  }
}

/** Runs a batch once. Closes the connection if it has stale statements or is read-only, because a new connection may reach the primary. */
async function attemptBatch<T>({ pool, lockRow }: CommitOptions, batch: Batch<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await commitOnClient(client, batch, lockRow ? LOCK_PROPERTY_ROW : undefined);
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
async function commitOnClient<T>(client: PoolClient, { lock, read, decide }: Batch<T>, lockRow: string | undefined): Promise<T> {
  const rowLock = lock === undefined || lockRow === undefined ? [] : [{ sql: lockRow, values: [lock] }];
  const statements = [lockAndCount(lock), ...rowLock, ...read];
  const [, numbered, ...others] = await sendQueries(client, [{ text: beginBatch(ATTEMPT_TIMEOUT_MS) }, ...statements.map(preparedQuery)]);
  const rows = others.slice(rowLock.length);
  const { write, result } = await rollbackOnThrow(client, () =>
    decide(
      rows.map((answer) => answer.rows as Row[]),
      Number((numbered!.rows[0] as { id: number }).id),
    ),
  );
  await sendQueries(client, [...write.map(preparedQuery), COMMIT_QUERY]);
  return result;
}

/**
 * A server's lock table can hold a few thousand locks. A batch that needs more takes none. Its statements can set `changes`, so that they
 * never overwrite a record that has changed.
 */
const MAX_LOCKS_PER_QUERY = 4_000;

/** Commits a long batch. Each step takes two round trips: read, then write. */
export async function commitLong(pool: Pool, { locks, steps }: LongBatch): Promise<void> {
  const client = await pool.connect();
  try {
    await sendQueries(client, [{ text: beginBatch(MAX_LOCK_WAIT_MS) }, ...lockAll(locks)]);
    for (const { read, decide } of steps) {
      const rows = await sendQueries(client, read.map(preparedQuery));
      const write = await rollbackOnThrow(client, () => decide(rows.map((answer) => answer.rows as Row[])));
      const queryResults = await sendQueries(client, write.map(preparedQuery));
      await rollbackOnThrow(client, () => {
        for (const [index, { rowCount }] of queryResults.entries()) checkChanges(write[index]!, rowCount);
      });
    }
    await sendQueries(client, [COMMIT_QUERY]);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Takes the locks in a fixed order, so that two long batches never wait for each other. */
function lockAll(locks: readonly string[]): QueryConfig[] {
  if (locks.length === 0 || locks.length > MAX_LOCKS_PER_QUERY) return [];
  return locks.toSorted().map((lock) => preparedQuery({ sql: `select ${lockStatement("?")}`, values: [lock] }));
}

/** Higher than the number of IDs that batches can take while `reserveIds` runs. */
const ID_LEEWAY = 10_000;

/**
 * Reserves IDs. PostgreSQL can't reserve a range of a sequence, so this moves the sequence past all IDs that concurrent batches may take.
 */
export async function reserveIds(pool: Pool, count: number): Promise<number> {
  const text = `select ${lockStatement("'roomrack: ids'")}, setval('batch_id', nextval('batch_id') + $1) as id`;
  const { rows } = await pool.query<{ id: number }>(text, [ID_LEEWAY + count]);
  return rows[0]!.id - count + 1;
}

const COMMIT_QUERY: QueryConfig = { text: "commit" };

function lockAndCount(lock: string | undefined): Statement {
  if (lock === undefined) return { sql: "select nextval('batch_id') as id", values: [] };
  return { sql: `select ${lockStatement("?")}, nextval('batch_id') as id`, values: [lock] };
}

async function sendQueries(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult[]> {
  const queryResults = await Promise.allSettled(sendTogether(client, queries));
  const firstFailure = queryResults.find((answer) => answer.status === "rejected");
  if (!firstFailure) return queryResults.map((answer) => (answer as PromiseFulfilledResult<QueryResult>).value);
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

const statementNames = new Map<string, { name: string; text: string }>();

function preparedQuery({ sql, values }: Statement): QueryConfig {
  return { ...statementNames.getOrInsertComputed(sql, statementName), values: values.map(toStorable) };
}

function statementName(sql: string): { name: string; text: string } {
  let count = 0;
  const text = sql.replaceAll("?", () => `$${++count}`);
  return { name: hash("sha1", text), text };
}
