import { setImmediate as nextTurn } from "node:timers/promises";
import type { Batch, BatchDecision, Row, Statement } from "../database.ts";
import { decided } from "../decided.ts";
import { portionsOf } from "../statements.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { begin, type Connection } from "./connection.ts";
import type { KeptRecords } from "./kept-records.ts";
import type { LogSync } from "./log-sync.ts";
import type { Mutex } from "./mutex.ts";

/** A shared commit is closed after this time, and goes to the disk while the rest is worked on. */
const COMMIT_BUDGET_MS = 2;

/** For so long an open transaction lets pages be answered between its pieces: everybody else who writes waits for it, in other processes for 5 seconds at most. */
const PATIENCE_MS = 250;

type Waiting = { batch: Batch<unknown>; resolve: (result: unknown) => void; reject: (error: unknown) => void };
/** Holds no batch, so that a message's memory is free before its commit is on the disk. */
type Settled = Omit<Waiting, "batch"> & { result: unknown; error: unknown; failed: boolean };

export type GroupParts = { writer: Connection; mutex: Mutex; records: KeptRecords; log: LogSync; checkpoints: Checkpoints | undefined };

/**
 * Batches that arrive together share one transaction. It goes to the disk while the event loop goes on, even with the next
 * transaction; only then do the callers get their results.
 */
export class GroupCommit {
  readonly #parts: GroupParts;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #written = 0;
  /** When the open transaction is to be hurried. */
  #patientUntil = 0;

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  add<T>(batch: Batch<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ batch, resolve: resolve as Waiting["resolve"], reject });
    this.#running ??= this.#drain();
    return promise;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  /** Ends in the turn in which nothing waits: a later batch starts a new one. */
  async #drain(): Promise<void> {
    let telling: Promise<void> | undefined;
    try {
      while (this.#waiting.length > 0) {
        await nextTurn();
        const settled = await this.#commitSome();
        await telling;
        telling = this.#tell(settled);
        if (this.#waiting.length === 0) await telling;
      }
    } catch (error) {
      for (const one of this.#waiting.splice(0)) one.reject(error);
    }
    this.#running = undefined;
  }

  async #tell(settled: readonly Settled[]): Promise<void> {
    const { log, writer } = this.#parts;
    try {
      writer.checkLog();
      if (settled.some((one) => !one.failed)) await log.sync();
      for (const one of settled) one.failed ? one.reject(one.error) : one.resolve(one.result);
    } catch (error) {
      writer.giveUp(error);
      for (const one of settled) one.reject(error);
    }
    this.#parts.checkpoints?.wrote(this.#written);
    this.#written = 0;
  }

  async #commitSome(): Promise<Settled[]> {
    const { mutex } = this.#parts;
    const release = await mutex.acquire();
    try {
      return (await this.#attempt("together")) ?? (await this.#attempt("apart"))!;
    } finally {
      this.#syncAgain();
      release();
    }
  }

  /** If even this fails, the connection is broken, and each later commit fails by itself. */
  #syncAgain(): void {
    try {
      this.#parts.writer.synchronous("full");
    } catch {
      this.#parts.records.clear();
    }
  }

  /**
   * Runs and commits what waits, as time allows. Batches run "together" have no savepoints, which cost a fifth of their
   * statements: when one fails, all are rolled back, the answer is `undefined`, and they run again "apart".
   */
  async #attempt(how: "together" | "apart"): Promise<Settled[] | undefined> {
    const { writer, records } = this.#parts;
    const settled: Settled[] = [];
    try {
      writer.synchronous("normal");
      await begin(writer);
      records.check(writer);
      this.#patientUntil = performance.now() + PATIENCE_MS;
      await this.#runSome(settled, how);
      writer.run("commit", []);
      this.#waiting.splice(0, settled.length);
      return settled;
    } catch (error) {
      records.clear();
      if (writer.inTransaction) writer.run("rollback", []);
      if (how === "together" && settled.length > 0) return undefined;
      return this.#waiting.splice(0, settled.length || Number.POSITIVE_INFINITY).map((one) => failed(one, error));
    }
  }

  /** At least one. */
  async #runSome(settled: Settled[], how: "together" | "apart"): Promise<void> {
    const { writer } = this.#parts;
    const end = performance.now() + COMMIT_BUDGET_MS;
    const { length } = this.#waiting;
    const firstId = takeIds(writer, length);
    for (let index = 0; index < length && (index === 0 || performance.now() < end); index++) {
      const waiting = this.#waiting[index]!;
      // Listed before it runs: if it ends the whole transaction, it must fail with the others.
      settled.push(failed(waiting, undefined));
      settled[index] = await (how === "together" ? this.#run(waiting, firstId + index) : this.#runApart(waiting, firstId + index));
    }
  }

  /** Throws when a statement fails; a decision that fails has written nothing. */
  async #run(waiting: Waiting, id: number): Promise<Settled> {
    const { batch } = waiting;
    let decision: BatchDecision<unknown>;
    try {
      const rows = batch.read.map((statement) => this.#read(statement, batch.lock));
      decision = await decided(batch.decide(rows, id), () => this.#isUrgent());
    } catch (error) {
      return failed(waiting, error);
    }
    await this.#write(decision, batch.lock);
    return done(waiting, decision.result);
  }

  /** Runs all of a batch or none; throws when its fault took the others along. */
  async #runApart(waiting: Waiting, id: number): Promise<Settled> {
    const { writer } = this.#parts;
    writer.run("savepoint batch", []);
    try {
      return await this.#run(waiting, id);
    } catch (error) {
      if (!writer.inTransaction) throw error;
      writer.run("rollback to batch", []);
      return failed(waiting, error);
    } finally {
      if (writer.inTransaction) writer.run("release batch", []);
    }
  }

  #read(statement: Statement, lock: string | undefined): Row[] {
    const all = () => this.#parts.writer.all(statement.sql, statement.values);
    return statement.records === true && lock !== undefined ? this.#parts.records.read(lock, statement, all) : all();
  }

  async #write({ write }: BatchDecision<unknown>, lock: string | undefined): Promise<void> {
    let isFirst = true;
    for (const portion of portionsOf(write)) {
      if (!isFirst && !this.#isUrgent()) await nextTurn();
      isFirst = false;
      this.#writePortion(portion, lock);
    }
  }

  #isUrgent(): boolean {
    return performance.now() > this.#patientUntil;
  }

  #writePortion(statements: readonly Statement[], lock: string | undefined): void {
    const { writer, records } = this.#parts;
    for (const { sql, values, records: changesRecords } of statements) {
      if (changesRecords === true && lock !== undefined) records.forget(lock);
      writer.run(sql, values);
      this.#written += values.length;
    }
  }
}

function failed({ resolve, reject }: Waiting, error: unknown): Settled {
  return { resolve, reject, result: undefined, error, failed: true };
}

function done({ resolve, reject }: Waiting, result: unknown): Settled {
  return { resolve, reject, result, error: undefined, failed: false };
}

/** Counts on by `count`; answers the first id of them. */
export function takeIds(writer: Connection, count: number): number {
  const sql = "insert into counter values ('batch', ?) on conflict (name) do update set value = value + excluded.value returning value";
  return Number(writer.all(sql, [count])[0]!.value) - count + 1;
}
