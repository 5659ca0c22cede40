import type { Kysely } from "kysely";
import type { Catalog } from "./catalog.ts";
import type { Tables } from "./schema.ts";

/** What a column can hold and a parameter can be, on both engines. Times are milliseconds since 1970 in UTC. */
export type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;

/**
 * SQL both engines understand, with `?` for each value, in order.
 *
 * `records` marks a statement on rows that change seldom: a property, its categories and rate plans. They change only by marked
 * statements of batches with the same lock, or through `write`, so that an engine may keep what it read; callers must not modify it.
 */
export type Statement = { sql: string; values: readonly Value[]; records?: true };

/** What `decide` answers: the statements to write and the value that `commit` resolves to. */
export type BatchDecision<T> = { write: readonly Statement[]; result: T };

/**
 * A unit of work that is stored whole or not at all: lock, read, decide, write.
 *
 * - `lock`: batches with the same lock run one after the other, in every process; `undefined` locks nothing.
 * - `read`: statements that run after the lock is held; their rows go to `decide`, in the same order.
 * - `decide`: pure and synchronous, as it is called again where what was decided cannot be stored; `id` is larger than the one
 *   of every earlier batch with the same lock.
 *   If it throws, nothing of this batch is stored and `commit` rejects with what it threw.
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
  /** Text that stands in the order of its bytes of UTF-8, whatever the language of the database. */
  bytewise: string;
  /** A key that counts up by itself and is never given twice. */
  serial: string;
  /** What follows the closing bracket of every table. */
  strict: string;
  /** The same for a table that is kept in the order of its key, where the engine can. */
  keyed: string;
  /** Makes what the ids of batches are counted with. */
  batchCounter: string;
};

/** What `/tools/phpinfo` and the log line at the start say about the engine. `bytes` is the size on disk. */
export type DatabaseDescription = {
  engine: "SQLite" | "PostgreSQL";
  version: string;
  location: string;
  bytes: number;
};

/** One open database; callers never ask which engine it is. */
export type Database = {
  columnTypes: ColumnTypes;
  /** For queries that only read. It sees what was committed, and never waits for an open write. */
  read: Kysely<Tables>;
  /** For record writes and their transactions. Inside a transaction use only the transaction handle. */
  write: Kysely<Tables>;
  /** For changes of the schema, which take as long as they take. */
  alter: Kysely<Tables>;
  /** Runs a batch; resolves when it is durable. On SQLite batches that arrive together share one durable commit. */
  commit<T>(batch: Batch<T>): Promise<T>;
  /** Takes `count` ids that no batch gets; answers the first of them. */
  reserve(count: number): Promise<number>;
  /** A word that is another one after every commit, of this process or any other. Asked before reading, it dates what was read. */
  version(): Promise<string>;
  describe(): Promise<DatabaseDescription>;
  /** Tells of the live schema, for the comparison at `/tools/dbsync`. */
  catalog: Catalog;
  /** Copies the whole data into a new file; answers its path, or undefined where that is the database server's own task. */
  backup(path: string): Promise<string | undefined>;
  close(): Promise<void>;
};
