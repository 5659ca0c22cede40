import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row, SqlValue } from "../database.ts";
import { isBusy } from "../faults.ts";
import { type LostFile, OpenFiles } from "./open-files.ts";

const SQLITE_IOERR = 10;
const BUSY_LIMIT_MS = 5_000;
const MAX_CACHED_STATEMENTS = 500;
/** Above this length, SQLite checkpoints the log during a commit. */
const CHECKPOINT_PAGES = 8_000;
/** A log that grew during a long read is truncated to this size when it restarts. */
const MAX_LOG_BYTES = 2 ** 26;
const WRITER_SETTINGS = `pragma journal_mode = wal; pragma journal_size_limit = ${MAX_LOG_BYTES}; pragma synchronous = full;
  pragma foreign_keys = on; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`;

type PreparedStatement = { statement: StatementSync; columns: readonly string[] };

type RunResult = { changes: number | bigint; lastInsertRowid: number | bigint };

/** A connection that caches prepared statements. The constructor throws SQLITE_BUSY while another process creates the file. */
export class Connection {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #files: OpenFiles;
  readonly writes: boolean;
  #fault: Error | undefined;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(path: string, options: { readOnly?: boolean } = {}) {
    this.#db = new DatabaseSync(path, { ...options, timeout: 0 });
    try {
      if (!options.readOnly) this.#db.exec(WRITER_SETTINGS);
      this.#db.exec("pragma cache_size = -8000; pragma temp_store = memory");
    } catch (error) {
      this.#db.close();
      throw error;
    }
    this.#path = path;
    this.writes = !options.readOnly;
    this.#files = new OpenFiles(path);
  }

  /** Call after a failed sync. Otherwise later commits would be lost, because recovery stops at the missing part of the log. */
  refuseWrites(cause: unknown): void {
    this.#fault ??= ioError(`${this.#path} could not be synced to disk. Restart the service.`, { cause });
  }

  checkLog(): void {
    if (this.#fault) throw this.#fault;
  }

  /** Throws if writes are refused, or if a database file was deleted, moved or replaced. Tries to save a lost log first. */
  checkFiles(): void {
    this.checkLog();
    const lostFile = this.lostFile();
    if (lostFile === undefined) return;
    if (lostFile === "-wal" && !this.inTransaction) this.run("pragma wal_checkpoint(passive)", []);
    const remedy = lostFile === "" ? "Put it back, or restart the service." : "Stop all processes of the service, then restart them.";
    throw ioError(`${this.#path}${lostFile} is no longer the file that was opened. ${remedy}`);
  }

  lostFile(): LostFile | undefined {
    return this.#files.findLost();
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  all(sql: string, values: readonly SqlValue[]): Row[] {
    return fetchRows(this.#prepare(sql), values);
  }

  run(sql: string, values: readonly SqlValue[]): RunResult {
    return this.#prepare(sql).statement.run(...values);
  }

  execute(sql: string, values: readonly SqlValue[]): { rows: Row[]; done?: RunResult } {
    const preparedStatement = this.#prepare(sql);
    if (preparedStatement.columns.length > 0) return { rows: fetchRows(preparedStatement, values) };
    return { rows: [], done: preparedStatement.statement.run(...values) };
  }

  #prepare(sql: string): PreparedStatement {
    const cachedStatement = this.#statements.get(sql);
    if (cachedStatement) return cachedStatement;
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear();
    const statement = this.#db.prepare(sql);
    const preparedStatement = { statement, columns: columnNames(statement) };
    if (preparedStatement.columns.length > 0) statement.setReturnArrays(true);
    this.#statements.set(sql, preparedStatement);
    return preparedStatement;
  }

  /** `full`: a commit is durable when it returns. `normal`: a crash may lose the last commits, but each commit is atomic. */
  synchronous(level: "full" | "normal"): void {
    this.#db.exec(`pragma synchronous = ${level}`);
  }

  /** Sets whether a commit may copy a long log into the database, which blocks the event loop. */
  checkpointsItself(allowed: boolean): void {
    this.#db.exec(`pragma wal_autocheckpoint = ${allowed ? CHECKPOINT_PAGES : 0}`);
  }

  close(): void {
    this.#db.close();
  }
}

/** Builds row objects that all have the same shape, because row objects from node:sqlite are in slow dictionary mode. */
function fetchRows(prepared: PreparedStatement, values: readonly SqlValue[]): Row[] {
  const rows = prepared.statement.all(...values) as unknown as SqlValue[][];
  if (rows.length > 0 && rows[0]!.length !== prepared.columns.length) prepared.columns = columnNames(prepared.statement);
  return rows.map((row) => toRow(prepared.columns, row));
}

function toRow(columns: readonly string[], values: readonly SqlValue[]): Row {
  const row: Row = {};
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i]!;
  return row;
}

function columnNames(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name);
}

export async function beginTransaction(connection: Connection): Promise<void> {
  connection.checkFiles();
  await retryWhileBusy(() => connection.run("begin immediate", []));
}

export async function retryWhileBusy<T>(work: () => T | Promise<T>, limitMs = BUSY_LIMIT_MS): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      await sleep(1);
    }
  }
}

function ioError(message: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(message, options), { errcode: SQLITE_IOERR });
}
