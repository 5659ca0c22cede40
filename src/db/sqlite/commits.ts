import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { Batch, BatchDecision, Row, Statement } from "../database.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { beginTransaction, type Connection } from "./connection.ts";
import type { LogSync } from "./log-sync.ts";
import type { Mutex } from "./mutex.ts";
import type { RecordCache } from "./record-cache.ts";

const TRANSACTION_BUDGET_MS = 2;

type WaitingBatch = { batch: Batch<unknown>; resolve: (result: unknown) => void; reject: (error: unknown) => void };
/** Omits the batch, so that its memory can be freed before the sync. */
type FinishedBatch = Omit<WaitingBatch, "batch"> & ({ result: unknown } | { error: unknown });

export type GroupParts = { writer: Connection; mutex: Mutex; records: RecordCache; log: LogSync; checkpoints: Checkpoints | undefined };

/** Concurrent batches share a transaction and an fsync, which runs off the event loop. */
export class GroupCommit {
  readonly #parts: GroupParts;
  readonly #waiting: WaitingBatch[] = [];
  #running: Promise<void> | undefined;
  #written = 0;

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  add<T>(batch: Batch<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ batch, resolve: resolve as WaitingBatch["resolve"], reject });
    this.#running ??= this.#drain();
    return promise;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  /** Runs waiting batches until the queue is empty. The next batch starts it again. */
  async #drain(): Promise<void> {
    let syncing: Promise<void> | undefined;
    try {
      while (this.#waiting.length > 0) {
        await nextEventLoopTurn();
        const finishedBatches = await this.#commitSome();
        await syncing;
        syncing = this.#sync(finishedBatches);
        if (this.#waiting.length === 0) await syncing;
      }
    } catch (error) {
      for (const waitingBatch of this.#waiting.splice(0)) waitingBatch.reject(error);
    }
    this.#running = undefined;
  }

  async #sync(done: readonly FinishedBatch[]): Promise<void> {
    const fault = await this.#findFault(done);
    for (const batch of done) {
      if (fault) batch.reject(fault);
      else "result" in batch ? batch.resolve(batch.result) : batch.reject(batch.error);
    }
    if (!fault) this.#parts.checkpoints?.countValues(this.#written);
    this.#written = 0;
  }

  async #findFault(done: readonly FinishedBatch[]): Promise<unknown> {
    const { log, writer } = this.#parts;
    try {
      writer.checkLog();
      if (done.some((batch) => "result" in batch)) await log.sync();
    } catch (error) {
      writer.refuseWrites(error);
      return error;
    }
    return writer.lostFile() === undefined ? undefined : this.#fileFault();
  }

  /**
   * Returns the error if the database files are not usable. Waits until no transaction is open, because the log can't be saved during a
   * transaction.
   */
  async #fileFault(): Promise<unknown> {
    const release = await this.#parts.mutex.acquire();
    try {
      this.#parts.writer.checkFiles();
      return undefined;
    } catch (error) {
      return error;
    } finally {
      release();
    }
  }

  async #commitSome(): Promise<FinishedBatch[]> {
    const { mutex, writer } = this.#parts;
    const release = await mutex.acquire();
    const group: WaitingBatch[] = [];
    try {
      writer.synchronous("normal");
      return await this.#inTransaction(() => this.#runSome(group));
    } catch (error) {
      if (group.length > 1) return await this.#commitSeparately(group);
      return (group.length === 0 ? this.#waiting.splice(0) : group).map((waiting) => failedBatch(waiting, error));
    } finally {
      this.#restoreSync();
      release();
    }
  }

  /** Makes later commits durable again. If this fails, the connection is broken and later commits fail too. */
  #restoreSync(): void {
    try {
      this.#parts.writer.synchronous("full");
    } catch {
      this.#parts.records.clear();
    }
  }

  /** Commits each batch of a failed group separately, so that only the faulty one fails. */
  async #commitSeparately(group: readonly WaitingBatch[]): Promise<FinishedBatch[]> {
    const finishedBatches: FinishedBatch[] = [];
    for (const waitingBatch of group) {
      const run = () => this.#run(waitingBatch, takeIds(this.#parts.writer, 1));
      finishedBatches.push(await this.#inTransaction(run).catch((error: unknown) => failedBatch(waitingBatch, error)));
    }
    return finishedBatches;
  }

  async #inTransaction<T>(work: () => T): Promise<T> {
    const { writer, records } = this.#parts;
    try {
      await beginTransaction(writer);
      records.check(writer);
      const result = work();
      writer.run("commit", []);
      return result;
    } catch (error) {
      records.clear();
      if (writer.inTransaction) writer.run("rollback", []);
      throw error;
    }
  }

  /** Runs at least one waiting batch, then more until the time budget is used up. */
  #runSome(group: WaitingBatch[]): FinishedBatch[] {
    const end = performance.now() + TRANSACTION_BUDGET_MS;
    const { length } = this.#waiting;
    const firstId = takeIds(this.#parts.writer, length);
    const finishedBatches: FinishedBatch[] = [];
    for (let index = 0; index < length && (index === 0 || performance.now() < end); index++) {
      const waitingBatch = this.#waiting.shift()!;
      group.push(waitingBatch);
      finishedBatches.push(this.#run(waitingBatch, firstId + index));
    }
    return finishedBatches;
  }

  /** Runs one batch. Throws if a statement fails. If `decide` fails, nothing was written and the transaction continues. */
  #run({ batch, ...caller }: WaitingBatch, id: number): FinishedBatch {
    let decision: BatchDecision<unknown>;
    try {
      const rows = batch.read.map((statement) => this.#read(statement, batch.lock));
      decision = batch.decide(rows, id);
    } catch (error) {
      return { ...caller, error };
    }
    this.#write(decision.write, batch.lock);
    return { ...caller, result: decision.result };
  }

  #read(statement: Statement, lock: string | undefined): Row[] {
    const all = () => this.#parts.writer.all(statement.sql, statement.values);
    return statement.records === true && lock !== undefined ? this.#parts.records.read(lock, statement, all) : all();
  }

  #write(statements: readonly Statement[], lock: string | undefined): void {
    const { writer, records } = this.#parts;
    for (const { sql, values, records: changesRecords } of statements) {
      if (changesRecords === true && lock !== undefined) records.forget(lock);
      writer.run(sql, values);
      this.#written += values.length;
    }
  }
}

function failedBatch({ resolve, reject }: WaitingBatch, error: unknown): FinishedBatch {
  return { resolve, reject, error };
}

export function takeIds(writer: Connection, count: number): number {
  const sql = "insert into counter values ('batch', ?) on conflict (name) do update set value = value + excluded.value returning value";
  return Number(writer.all(sql, [count])[0]!.value) - count + 1;
}
