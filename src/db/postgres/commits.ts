import { hash } from "node:crypto";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import type { Batch, LongBatch, Row, Statement } from "../database.ts";
import { checkChanges, isLocked, isReadOnly, isStaleStatement } from "../faults.ts";
import { toStorable } from "../statements.ts";
import { beginBatch, LOCK_PROPERTY_ROW, lockStatement } from "./transactions.ts";

const MAX_LOCK_WAIT_MS = 15_000;

/** A waiting batch gives its connection back after this time, so that batches with other locks can use it. */
const ATTEMPT_TIMEOUT_MS = 250;

/** `lockRow`: also lock the property's row. */
type CommitOptions = { pool: Pool; lockRow: boolean };

/**
 * Retries while another process holds the lock, after a conflict with another transaction, or if the schema has changed since the statements
 * were prepared.
 */
export async function commitBatch<T>(commits: CommitOptions, batch: Batch<T>): Promise<T> {
  const end = performance.now() + MAX_LOCK_WAIT_MS;
  for (;;) {
    try {
      return await attemptBatch(commits, batch);
    } catch (error) {
      if (!isStaleStatement(error) && !(isLocked(error) && performance.now() < end)) throw error;
    }
  }
}

/** Closes the connection if it has stale statements or is read-only. A new connection may reach the primary. */
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

/** Takes two round trips: lock and read, then write and commit. Each statement takes its snapshot after the lock. */
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
 * The lock table of a server holds a few thousand locks. A batch with more locks takes none. Its statements can have `changes`, so that they
 * never overwrite a record that has changed.
 */
const MAX_LOCKS_PER_QUERY = 4_000;

/** Each step takes two round trips: read, then write. */
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

/** Takes the locks in one order, so that two long batches never wait for each other. */
function lockAll(locks: readonly string[]): QueryConfig[] {
  if (locks.length === 0 || locks.length > MAX_LOCKS_PER_QUERY) return [];
  return locks.toSorted().map((lock) => preparedQuery({ sql: `select ${lockStatement("?")}`, values: [lock] }));
}

/** Higher than the number of IDs that batches can take while `reserveIds` runs. */
const ID_LEEWAY = 10_000;

/** PostgreSQL can't reserve a range of a sequence, so this moves it past all IDs that concurrent batches may take. */
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

/** Corks the socket so that all queries are sent in one system call. */
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

/** Ignores errors, because the server rolls back if the connection is broken. */
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
