import type { Kysely } from "kysely";
import type { Catalog } from "./catalog.ts";
import type { Tables } from "./schema.ts";

/** Times are milliseconds since 1970 in UTC. */
export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, SqlValue>;

/**
 * SQL for both engines with `?` placeholders. `records` marks statements on properties, categories and rate plans, which rarely change. An
 * engine may cache these rows, so callers must not modify them. Change such rows only with marked statements in a batch with the same lock,
 * or through `write`. `changes` is the number of rows that the statement must change in a long batch.
 */
export type Statement = { sql: string; values: readonly SqlValue[]; records?: true; changes?: number };

export type BatchDecision<T> = { write: readonly Statement[]; result: T };

/**
 * A unit of work that is stored completely or not at all.
 *
 * - `lock`: batches with the same lock run one at a time across all processes. `undefined` takes no lock. `commit` rejects after waiting 15
 *   seconds for another process.
 * - `read`: statements that run after the lock is taken. `decide` gets their rows in the same order.
 * - `decide`: must not have side effects, because it may be called again if its result can't be stored. `id` is larger than the ids of
 *   earlier batches with the same lock. If it throws, nothing is stored and `commit` rejects with the error.
 */
export type Batch<T> = {
  lock: string | undefined;
  read: readonly Statement[];
  decide(rows: readonly Row[][], id: number): BatchDecision<T>;
};

/** A part of a long transaction. `decide` receives the rows that `read` returned and returns what to write. */
export type LongBatchStep = { read: readonly Statement[]; decide(rows: readonly Row[][]): readonly Statement[] };

/**
 * A long transaction that is stored completely or not at all. Other requests run between two steps, but writes may wait until the last one.
 * `steps` is iterated only once. `locks` are the locks of batches that must not run at the same time.
 */
export type LongBatch = { locks: readonly string[]; steps: Iterable<LongBatchStep> };

export type ColumnTypes = {
  integer: string;
  bytes: string;
  /** Type for text that sorts by its UTF-8 bytes, regardless of the database's locale. */
  bytewise: string;
  /** Type for an auto-incrementing key whose values are never reused. */
  serial: string;
  strict: string;
  /** Like `strict`, but also stores rows in key order if the engine supports it. */
  keyed: string;
  batchCounter: string;
  /** Statements that partition an existing table by ranges of an integer key, if the engine supports this. */
  partitioned(table: string, key: string): string[];
};

export type DatabaseDescription = {
  engine: "SQLite" | "PostgreSQL";
  version: string;
  location: string;
  bytes: number;
};

export type TransactionCallback<T> = (db: Kysely<Tables>) => Promise<T>;

/** Keys that the engine generates for some tables. */
export type SerialAccess = {
  /** The part of an insert statement that allows explicit keys. */
  insert: string;
  /** Returns the highest key that each table has ever used. */
  read(): Promise<ReadonlyMap<string, number>>;
  /** Makes each table generate only keys higher than these. */
  raise(highest: ReadonlyMap<string, number>): Promise<void>;
};

/**
 * A partition of the message log: messages whose IDs are at least `from` and less than `before`. `before` is infinite in the last
 * partition.
 */
export type LogPartition = { from: number; before: number };

/** The message log, its bodies and undo records are stored in partitions, which can be deleted faster than rows. */
export type LogPartitions = {
  /** In ID order. Empty if the log is not partitioned. */
  list(): Promise<LogPartition[]>;
  /**
   * Leaves room for `ids` more messages in the last partition, and adds a partition for the messages after them. Does nothing if another
   * process or a long query is using the tables, or if the database user doesn't own them.
   */
  add(ids: number): Promise<void>;
  /** Deletes a partition with its messages. Messages with such IDs can't be stored afterwards. Does nothing in the same cases. */
  drop(partition: LogPartition): Promise<void>;
};

/** Called before each table is distributed, with its name, the number of finished tables and the total number. */
export type ReportDistribution = (table: string, done: number, total: number) => void;

/** Thrown if the database can't be distributed. The message explains why. */
export class DistributionError extends Error {
  override readonly name = "DistributionError";
}

/** A request that may read slightly stale data. After a read from the replica, `delayMs` is the maximum age of the data. */
export type ReplicaStatus = { delayMs?: number };

/** `reading` returns the replica status of the current request, or undefined if the request needs current data. */
export type ReplicaOptions = { url: string; maxDelayMs: number; reading(): ReplicaStatus | undefined };

export type Database = {
  columnTypes: ColumnTypes;
  /** Whether the tables are distributed by property across several servers. See `onShard`. */
  isDistributed: boolean;
  /** For read-only queries. Sees committed data and never waits for writes. */
  read: Kysely<Tables>;
  /** For writes to records. Inside a transaction, use only the transaction's handle. */
  write: Kysely<Tables>;
  /** Edits records in a transaction that takes the same locks as batches, so it sees what earlier batches wrote. */
  edit<T>(lock: string, work: TransactionCallback<T>): Promise<T>;
  /** Changes the schema in a transaction without a time limit, one process at a time. */
  alter<T>(work: TransactionCallback<T>): Promise<T>;
  /** Runs a batch and resolves when it is durable. On SQLite, concurrent batches share a commit. */
  commit<T>(batch: Batch<T>): Promise<T>;
  /** Runs a long batch and resolves when it is durable. If a step throws, nothing is stored. Throws `ChangesError`. */
  commitLong(batch: LongBatch): Promise<void>;
  /** Reserves `count` IDs that batches won't use, and returns the first. */
  reserve(count: number): Promise<number>;
  describe(): Promise<DatabaseDescription>;
  catalog: Catalog;
  serials: SerialAccess;
  logPartitions: LogPartitions;
  /**
   * Distributes the tables by property across the servers of a Citus cluster. Continues an interrupted run. Does nothing if all are
   * distributed. No service may be running. Throws `DistributionError`.
   */
  distribute(report: ReportDistribution): Promise<void>;
  /** Copies all data to a new file and returns its path. Returns undefined on PostgreSQL. */
  backup(path: string): Promise<string | undefined>;
  close(): Promise<void>;
};
