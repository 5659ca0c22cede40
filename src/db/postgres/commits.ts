import { hash } from "node:crypto";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import type { Batch, Row, Statement } from "../database.ts";
import { decided } from "../decided.ts";
import { isLocked, isReadOnly, isStalePlan } from "../faults.ts";
import { portionsOf } from "../statements.ts";
import { storable } from "../text.ts";
import { beginBatch, lockOf } from "./transactions.ts";

/** The server ends a transaction that stands still for as long. */
const MAX_WAIT_MS = 15_000;

/** For so long a decision lets others do their work between its pieces: to the server it idles meanwhile. */
const PATIENCE_MS = 2_000;

/** How long each batch waits for its lock at first. */
const SOON_MS = 250;

/** Runs batches, each in its own transaction. */
export class Commits {
  readonly #pool: Pool;
  /** How many batches keep their connection while they wait for their lock. */
  #patient = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Tries again while another process holds the lock. A connection whose statements were prepared for another schema is replaced by one
   * without any; one that only reads, by one that may lead elsewhere.
   */
  async add<T>(batch: Batch<T>): Promise<T> {
    const end = performance.now() + MAX_WAIT_MS;
    let isHeld = false;
    for (;;) {
      try {
        return await (isHeld ? this.#waitUntil(end, batch) : this.#attempt(batch, SOON_MS));
      } catch (error) {
        isHeld ||= isLocked(error);
        const isToRepeat = isStalePlan(error) || (isLocked(error) && performance.now() < end);
        if (!isToRepeat) throw error;
      }
    }
  }

  /**
   * Whoever gives up its place among those who wait for a lock can be passed for ever. Half of the connections are never waited with for
   * long, as others need them; none for as long as a server may be silent.
   */
  async #waitUntil<T>(end: number, batch: Batch<T>): Promise<T> {
    const { max, connectionTimeoutMillis } = this.#pool.options;
    if (this.#patient >= max / 2) return this.#attempt(batch, SOON_MS);
    this.#patient++;
    try {
      return await this.#attempt(batch, Math.max(SOON_MS, Math.min(end - performance.now(), connectionTimeoutMillis! / 2)));
    } finally {
      this.#patient--;
    }
  }

  async #attempt<T>(batch: Batch<T>, waitMs: number): Promise<T> {
    const client = await this.#pool.connect();
    try {
      const result = await commitOn(client, batch, waitMs);
      client.release();
      return result;
    } catch (error) {
      client.release(isStalePlan(error) || isReadOnly(error));
      throw error;
    }
  }
}

/** Two round trips, or more where much is written: lock and read, each statement with a snapshot taken after the lock; then write and commit. */
async function commitOn<T>(client: PoolClient, { lock, read, decide }: Batch<T>, waitMs: number): Promise<T> {
  const [, numbered, ...rows] = await send(client, [{ text: beginBatch(waitMs) }, ...[lockAndCount(lock), ...read].map(prepared)]);
  const patientUntil = performance.now() + PATIENCE_MS;
  const { write, result } = await rollbackOnThrow(client, () =>
    decided(
      decide(
        rows.map((one) => one.rows as Row[]),
        Number((numbered!.rows[0] as { id: number }).id),
      ),
      () => performance.now() > patientUntil,
    ),
  );
  const portions = [...portionsOf(write)];
  const last = portions.pop()!;
  for (const portion of portions) await send(client, portion.map(prepared));
  await send(client, [...last.map(prepared), COMMIT]);
  return result;
}

/** More ids than batches take between two calls of one statement. */
const TAKEN_MEANWHILE = 10_000;

/**
 * Takes `count` ids that no batch gets. A sequence gives no ranges, so it is moved past what batches take meanwhile. Who else moves it
 * waits, or could move it back.
 */
export async function reserve(pool: Pool, count: number): Promise<number> {
  const text = `select ${lockOf("'roomrack: ids'")}, setval('batch_id', nextval('batch_id') + $1) as id`;
  const { rows } = await pool.query<{ id: number }>(text, [TAKEN_MEANWHILE + count]);
  return rows[0]!.id - count + 1;
}

const COMMIT: QueryConfig = { text: "commit" };

/** The id is taken under the lock: a query computes its columns from left to right. */
function lockAndCount(lock: string | undefined): Statement {
  if (lock === undefined) return { sql: "select nextval('batch_id') as id", values: [] };
  return { sql: `select ${lockOf("?")}, nextval('batch_id') as id`, values: [lock] };
}

/** Sends all queries without waiting in between. The first failure is thrown after every answer is in. */
async function send(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult[]> {
  const answers = await Promise.allSettled(sendAtOnce(client, queries));
  const failed = answers.find((answer) => answer.status === "rejected");
  if (!failed) return answers.map((answer) => (answer as PromiseFulfilledResult<QueryResult>).value);
  await rollBack(client);
  throw failed.reason;
}

/** One system call for all of them; the client makes one each, a third of the time of a short message. */
function sendAtOnce(client: PoolClient, queries: readonly QueryConfig[]): Promise<QueryResult>[] {
  const { stream } = client.connection;
  stream.cork();
  try {
    return queries.map((query) => client.query(query));
  } finally {
    stream.uncork();
  }
}

async function rollbackOnThrow<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
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
function prepared({ sql, values }: Statement): QueryConfig {
  return { ...names.getOrInsertComputed(sql, nameOf), values: values.map(storable) };
}

function nameOf(sql: string): { name: string; text: string } {
  let count = 0;
  const text = sql.replaceAll("?", () => `$${++count}`);
  return { name: hash("sha1", text), text };
}
