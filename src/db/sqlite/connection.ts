import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row, Value } from "../database.ts";
import { isBusy } from "../faults.ts";
import { type LostFile, OpenFiles } from "./open-files.ts";

const BUSY_LIMIT_MS = 5_000;
const STATEMENTS_KEPT = 500;
/** SQLite itself copies a longer log into the database, within a commit. */
const LOG_PAGES = 8_000;
/** A log that had to grow beyond this many bytes, because another process read for long, gives the rest back when it starts again. */
const LOG_BYTES_KEPT = 2 ** 26;
const WRITER_SETTINGS = `pragma journal_mode = wal; pragma journal_size_limit = ${LOG_BYTES_KEPT}; pragma synchronous = full;
  pragma foreign_keys = on; pragma wal_autocheckpoint = ${LOG_PAGES}`;

/** A statement and the names of its columns; one that only writes has none. */
type Prepared = { statement: StatementSync; columns: readonly string[] };

type Changes = { changes: number | bigint; lastInsertRowid: number | bigint };

/** A connection that keeps its prepared statements. Making one fails as busy while another process makes the same file. */
export class Connection {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #files: OpenFiles;
  readonly writes: boolean;
  #fault: Error | undefined;
  readonly #statements = new Map<string, Prepared>();

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

  /**
   * From now on nothing is written: a part of the log is not on the disk, though the system takes it for written. Recovery would end
   * there, and lose all that comes later.
   */
  giveUp(cause: unknown): void {
    this.#fault ??= ioError(`${this.#path} could not be put on the disk. Start the service again.`, { cause });
  }

  /** Throws when `giveUp` was called. */
  checkLog(): void {
    if (this.#fault) throw this.#fault;
  }

  /**
   * The same, also if a file of the database was deleted, moved or replaced, because new writes would be lost. If that file is the log, copies
   * its commits into the database first, unless a transaction is open.
   */
  checkFiles(): void {
    this.checkLog();
    const lost = this.lostFile();
    if (lost === undefined) return;
    if (lost === "-wal" && !this.inTransaction) this.run("pragma wal_checkpoint(passive)", []);
    const remedy = lost === "" ? "Put it back, or start the service again." : "Stop all processes of the service, then start them again.";
    throw ioError(`${this.#path}${lost} is no longer the file that was opened. ${remedy}`);
  }

  lostFile(): LostFile | undefined {
    return this.#files.lost();
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  all(sql: string, values: readonly Value[]): Row[] {
    return rowsOf(this.#prepare(sql), values);
  }

  run(sql: string, values: readonly Value[]): Changes {
    return this.#prepare(sql).statement.run(...values);
  }

  /** Runs a statement that may or may not return rows. */
  execute(sql: string, values: readonly Value[]): { rows: Row[]; done?: Changes } {
    const prepared = this.#prepare(sql);
    if (prepared.columns.length > 0) return { rows: rowsOf(prepared, values) };
    return { rows: [], done: prepared.statement.run(...values) };
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear();
    const statement = this.#db.prepare(sql);
    const prepared = { statement, columns: columnsOf(statement) };
    if (prepared.columns.length > 0) statement.setReturnArrays(true);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** With `full` a commit is on the disk when it returns. With `normal` a crash may lose it, but never a part of it. */
  synchronous(level: "full" | "normal"): void {
    this.#db.exec(`pragma synchronous = ${level}`);
  }

  close(): void {
    this.#db.close();
  }
}

/**
 * Makes the row objects here, all of one shape: those of node:sqlite are dictionaries, and take twice as long to make and to read.
 * The columns of `select *` change with the table, so they are named again if their number differs.
 */
function rowsOf(prepared: Prepared, values: readonly Value[]): Row[] {
  const rows = prepared.statement.all(...values) as unknown as Value[][];
  if (rows.length > 0 && rows[0]!.length !== prepared.columns.length) prepared.columns = columnsOf(prepared.statement);
  return rows.map((row) => toRow(prepared.columns, row));
}

function toRow(columns: readonly string[], values: readonly Value[]): Row {
  const row: Row = {};
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i]!;
  return row;
}

function columnsOf(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name);
}

/** Takes `begin immediate`, waiting without blocking while another process writes. Throws when nothing can be written. */
export async function begin(connection: Connection): Promise<void> {
  connection.checkFiles();
  await untilFree(() => connection.run("begin immediate", []));
}

/** Repeats what may meet the write lock of another process, and has done nothing then, until the lock is free or time is up. */
export async function untilFree<T>(work: () => T | Promise<T>, limitMs = BUSY_LIMIT_MS): Promise<T> {
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

/** An error with SQLite's code for a file that cannot be read or written. */
function ioError(message: string, options?: ErrorOptions): Error {
  return Object.assign(new Error(message, options), { errcode: 10 });
}
