import type { Kysely } from "kysely";
import type { Catalog } from "./catalog.ts";
import type { Tables } from "./schema.ts";

/** The values of columns and parameters on both engines. Times are milliseconds since 1970 in UTC. */
export type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;

/**
 * SQL for both engines, with `?` for each value, in order.
 *
 * `records` marks a statement on rows that change seldom: a property, its categories and rate plans. They change only by marked
 * statements of batches with the same lock, or through `write`, so that an engine may keep what it read; callers must not modify it.
 */
export type Statement = { sql: string; values: readonly Value[]; records?: true };

/** What `decide` returns: the statements to write and the value that `commit` resolves to. */
export type BatchDecision<T> = { write: readonly Statement[]; result: T };

/**
 * A unit of work that is stored whole or not at all: lock, read, decide, write.
 *
 * - `lock`: batches with the same lock run one after the other, in every process; `undefined` locks nothing. A batch that waits longer
 *   than 15 seconds for another process rejects.
 * - `read`: statements that run after the lock is held; their rows go to `decide`, in the same order.
 * - `decide`: has no side effects, because it is called again if its decision cannot be stored. `id` is larger than that of every earlier
 *   batch with the same lock. If it throws, nothing of this batch is stored and `commit` rejects with what it threw.
 */
export type Batch<T> = {
  lock: string | undefined;
  read: readonly Statement[];
  decide(rows: readonly Row[][], id: number): BatchDecision<T>;
};

/** The column types and statements in which the engines differ; the migrations are written with them. */
export type ColumnTypes = {
  /** A whole number up to 2^53. */
  integer: string;
  /** Bytes. */
  bytes: string;
  /** Text sorted by its UTF-8 bytes, whatever the language of the database. */
  bytewise: string;
  /** A key that counts up by itself and is never reused. */
  serial: string;
  /** What follows the closing bracket of tables. */
  strict: string;
  /** The same for a table that is stored in key order, if the engine can. */
  keyed: string;
  /** Makes the counter for the ids of batches. */
  batchCounter: string;
};

/** What `/tools/phpinfo` and the log line at the start say about the engine. `bytes` is the size on disk. */
export type DatabaseDescription = {
  engine: "SQLite" | "PostgreSQL";
  version: string;
  location: string;
  bytes: number;
};

/** What is done in a transaction, with nothing but its handle. */
export type Transact<T> = (db: Kysely<Tables>) => Promise<T>;

/** One open database; callers never ask which engine it is. */
export type Database = {
  columnTypes: ColumnTypes;
  /** For queries that only read. It sees committed data and never waits for a write. */
  read: Kysely<Tables>;
  /** For record writes and their transactions. Inside a transaction use only the transaction handle. */
  write: Kysely<Tables>;
  /** Edits records in a transaction that holds the same lock as batches, so it reads what earlier batches wrote. */
  edit<T>(lock: string, work: Transact<T>): Promise<T>;
  /** Changes the schema in a transaction, one in all processes at a time, without a time limit. */
  alter<T>(work: Transact<T>): Promise<T>;
  /** Runs a batch; resolves when it is durable. On SQLite batches that arrive together share one durable commit. */
  commit<T>(batch: Batch<T>): Promise<T>;
  /** Takes `count` ids that no batch gets; answers the first of them. */
  reserve(count: number): Promise<number>;
  describe(): Promise<DatabaseDescription>;
  /** Describes the live schema, for `/tools/dbsync`. */
  catalog: Catalog;
  /** Copies all data into a new file; answers its path, or undefined when backup is the server's task. */
  backup(path: string): Promise<string | undefined>;
  close(): Promise<void>;
};
