import type { Kysely } from "kysely";
import type { Catalog } from "./catalog.ts";
import type { Tables } from "./schema.ts";

/** Times are milliseconds since 1970 in UTC. */
export type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;

/**
 * SQL for both engines, with `?` for each value, in order.
 *
 * `records` marks a statement on rows that change seldom: a property, its categories and rate plans. They change only by marked
 * statements of batches with the same lock, or through `write`, so that an engine may keep what it read; callers must not modify it.
 */
export type Statement = { sql: string; values: readonly Value[]; records?: true };

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

export type ColumnTypes = {
  integer: string;
  bytes: string;
  /** Text sorted by its UTF-8 bytes, whatever the language of the database. */
  bytewise: string;
  /** An auto-incrementing key; values are never reused. */
  serial: string;
  strict: string;
  /** The same, and stores the table in key order if the engine can. */
  keyed: string;
  batchCounter: string;
};

export type DatabaseDescription = {
  engine: "SQLite" | "PostgreSQL";
  version: string;
  location: string;
  bytes: number;
};

export type Transact<T> = (db: Kysely<Tables>) => Promise<T>;

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
  /** Reserves `count` ids that no batch gets and returns the first. */
  reserve(count: number): Promise<number>;
  describe(): Promise<DatabaseDescription>;
  catalog: Catalog;
  /** Copies all data into a new file and returns its path; undefined on PostgreSQL. */
  backup(path: string): Promise<string | undefined>;
  close(): Promise<void>;
};
