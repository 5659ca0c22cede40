import { setImmediate as nextTurn } from "node:timers/promises";
import { stopwatch } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { SingleFlight, withTimeout } from "../tasks.ts";
import { ErrorSpool } from "./spool.ts";
import { type AlertMode, createErrorEntries, createMissingErrorEntries, findErrorId, type NewErrorRow, totalBytes } from "./store.ts";

const FLUSH_AFTER_MS = 100;
const BATCH_LIMIT = { rows: 512, bytes: 4 * 2 ** 20 };
/** Above these limits, callers wait until their entry is stored, which slows a flood down. */
const BACKPRESSURE_LIMIT = { rows: 1_500, bytes: 8 * 2 ** 20 };
/** Above these limits, the database is considered stuck and entries go to the spool. */
const OVERFLOW_LIMIT = { rows: 3_000, bytes: 16 * 2 ** 20 };
const MAX_WAIT_MS = 1_000;
const CLOSE_TIMEOUT_MS = 3_000;
const RETRY_DELAY_MS = 2_000;

type PendingRow = { row: NewErrorRow; resolve: ((id: number | undefined) => void) | undefined };

/** `onLost` receives the number of entries that didn't fit into the spool, `onStored` the bytes written to the database. */
type QueueOptions = {
  database: Database;
  dataDir: string;
  spoolBytes: number;
  alertMode: AlertMode;
  onLost(count: number): void;
  onStored(bytes: number): void;
};

export type QueueLog = { warn(error: unknown, message: string): void; info(message: string): void };

/** Writes entries to the database in batches, in order. While the database fails, they go to the spool, which is retried regularly. */
export class ErrorQueue {
  readonly #database: Database;
  readonly #alertMode: AlertMode;
  readonly #spool: ErrorSpool;
  readonly #onStored: (bytes: number) => void;
  readonly #retryTimer: NodeJS.Timeout;
  readonly #elapsed = stopwatch();
  readonly #draining = new SingleFlight(() => this.#drainSpool());
  #pending: PendingRow[] = [];
  #pendingBytes = 0;
  #storing: NewErrorRow[] = [];
  #flushTimer: NodeJS.Timeout | undefined;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #flushing: Promise<void> | undefined;
  #flushRequested = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  #log: QueueLog | undefined;
  #outageLogged = false;

  constructor({ database, dataDir, spoolBytes, alertMode, onLost, onStored }: QueueOptions) {
    this.#database = database;
    this.#alertMode = alertMode;
    this.#onStored = onStored;
    this.#spool = new ErrorSpool(dataDir, { maxBytes: spoolBytes, onLost });
    this.#retryTimer = setInterval(() => void this.drainSpool(), RETRY_DELAY_MS).unref();
    void this.drainSpool();
  }

  logTo(log: QueueLog): void {
    this.#log = log;
  }

  get isCongested(): boolean {
    return this.#holds(BACKPRESSURE_LIMIT);
  }

  /** `resolve` receives the row's ID, or undefined if the row went to the spool. */
  add(row: NewErrorRow, resolve?: PendingRow["resolve"]): void {
    this.#pending.push({ row, resolve });
    this.#pendingBytes += row.bytes;
    if (this.#holds(OVERFLOW_LIMIT)) this.#spoolPending();
    if (this.#holds(BATCH_LIMIT)) void this.flush();
    else this.#flushTimer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  #holds({ rows, bytes }: typeof BATCH_LIMIT): boolean {
    return this.#pending.length >= rows || this.#pendingBytes >= bytes;
  }

  #takePending(count: number): PendingRow[] {
    const batch = this.#pending.splice(0, count);
    for (const { row } of batch) this.#pendingBytes -= row.bytes;
    return batch;
  }

  /** Adds a row. If errors are rare, waits until it is stored, so that every process lists it before the client gets a response. */
  async addAndSettle(row: NewErrorRow): Promise<void> {
    const isAlone = !this.#flushTimer && !this.#flushing && this.#elapsed() - this.#flushedAt > FLUSH_AFTER_MS;
    this.add(row);
    if (isAlone) await withTimeout(MAX_WAIT_MS, this.flush());
  }

  async addAndWait(row: NewErrorRow): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.add(row, resolve);
    void this.flush();
    return withTimeout(MAX_WAIT_MS, promise);
  }

  flush(): Promise<void> {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    this.#flushRequested = this.#pending.length > 0;
    if (this.#flushRequested) this.#flushedAt = this.#elapsed();
    if (this.#flushRequested) this.#flushing ??= this.#storePending();
    return this.#flushing ?? Promise.resolve();
  }

  async settle(): Promise<void> {
    const flushTask = this.#spool.hasRows ? this.flush().then(() => this.drainSpool()) : this.flush();
    await withTimeout(MAX_WAIT_MS, flushTask);
  }

  drainSpool(): Promise<void> {
    return this.#draining.run();
  }

  /** Spools all rows synchronously, including the current batch. Rows that are already stored will not be stored again. */
  spoolAll(): void {
    this.#spool.append(this.#storing);
    this.#spoolPending();
  }

  async close(): Promise<void> {
    clearInterval(this.#retryTimer);
    const allStored = this.#flushAll().then(() => this.#draining.idle());
    await withTimeout(CLOSE_TIMEOUT_MS, allStored);
    this.spoolAll();
  }

  async #flushAll(): Promise<void> {
    do await this.flush();
    while (this.#pending.length > 0);
  }

  /**
   * Stores the pending entries. Entries added during a flush wait for the next one, because a small commit costs as much as a large one.
   */
  async #storePending(): Promise<void> {
    while (this.#flushRequested) {
      this.#flushRequested = false;
      for (let left = this.#pending.length; left > 0; left -= BATCH_LIMIT.rows) await this.#storeBatch();
    }
    this.#flushing = undefined;
  }

  async #storeBatch(): Promise<void> {
    const batch = this.#takePending(BATCH_LIMIT.rows);
    const ids = await this.#store(batch.map(({ row }) => row));
    for (const { row, resolve } of batch)
      if (resolve) resolve(ids ? await findErrorId(this.#database, row).catch(() => undefined) : undefined);
    await nextTurn();
  }

  async #store(rows: NewErrorRow[]): Promise<boolean> {
    this.#storing = rows;
    try {
      if (this.#spool.hasRows && this.#elapsed() - this.#failedAt > RETRY_DELAY_MS) await this.drainSpool();
      if (!this.#spool.hasRows) {
        await createErrorEntries(this.#database, rows, this.#alertMode);
        this.#onStored(totalBytes(rows));
        return true;
      }
      this.#spool.append(rows);
    } catch (error) {
      this.#recordFailure(error);
      this.#spool.append(rows);
    } finally {
      this.#storing = [];
    }
    return false;
  }

  async #drainSpool(): Promise<void> {
    if (!this.#spool.hasRows) return;
    try {
      await this.#spool.drain(async (rows) => {
        await createMissingErrorEntries(this.#database, rows, this.#alertMode);
        this.#onStored(totalBytes(rows));
      });
      if (!this.#outageLogged || this.#spool.hasRows) return;
      this.#outageLogged = false;
      this.#log?.info("database available again; spooled errors stored");
    } catch (error) {
      this.#recordFailure(error);
    }
  }

  #recordFailure(error: unknown): void {
    this.#failedAt = this.#elapsed();
    if (this.#outageLogged || !this.#log) return;
    this.#outageLogged = true;
    this.#log.warn(error, "database unavailable; spooling errors to DATA_DIR");
  }

  #spoolPending(): void {
    const batch = this.#takePending(OVERFLOW_LIMIT.rows);
    this.#spool.append(batch.map(({ row }) => row));
    for (const { resolve } of batch) resolve?.(undefined);
  }
}
