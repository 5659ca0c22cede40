import type { Batch, Decision, Row, Statement } from "./database.ts";
import type { Mutex } from "./mutex.ts";
import type { Checkpoints } from "./sqlite-checkpoints.ts";
import { begin, type Connection } from "./sqlite-connection.ts";
import type { KeptRecords } from "./sqlite-records.ts";
import type { LogSync } from "./sqlite-sync.ts";

/** Work of one shared commit stops here, so that a burst of large messages does not hold up the event loop. */
const COMMIT_BUDGET_MS = 10;

type Waiting = { batch: Batch<unknown>; resolve: (result: unknown) => void; reject: (error: unknown) => void };
type Settled = Waiting & { result?: unknown; error?: unknown; failed: boolean };

export type GroupParts = { writer: Connection; mutex: Mutex; records: KeptRecords; log: LogSync; checkpoints: Checkpoints | undefined };

/**
 * Batches that arrive together share one transaction, each in a savepoint of its own. The transaction is put on the disk
 * while the event loop goes on, and only then are those who wait told of it.
 */
export class GroupCommit {
  readonly #parts: GroupParts;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #written = 0;

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

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise(setImmediate);
      const settled = await this.#commitSome();
      await this.#tell(settled);
      this.#parts.checkpoints?.wrote(this.#written);
      this.#written = 0;
    }
    this.#running = undefined;
  }

  async #tell(settled: readonly Settled[]): Promise<void> {
    try {
      if (settled.some((one) => !one.failed)) await this.#parts.log.sync();
      for (const one of settled) one.failed ? one.reject(one.error) : one.resolve(one.result);
    } catch (error) {
      for (const one of settled) one.reject(error);
    }
  }

  async #commitSome(): Promise<Settled[]> {
    const { mutex, writer, records } = this.#parts;
    const release = await mutex.acquire();
    const settled: Settled[] = [];
    try {
      writer.syncOnCommit(false);
      await begin(writer);
      records.check(writer);
      this.#runSome(settled);
      writer.run("commit", []);
    } catch (error) {
      records.clear();
      if (writer.inTransaction) writer.run("rollback", []);
      const lost = settled.length > 0 ? settled : this.#waiting.splice(0);
      return lost.map((one) => ({ ...one, error, failed: true }));
    } finally {
      writer.syncOnCommit(true);
      release();
    }
    return settled;
  }

  /** Runs what waits, as far as the time allows; at least one. */
  #runSome(settled: Settled[]): void {
    const { writer } = this.#parts;
    const end = performance.now() + COMMIT_BUDGET_MS;
    const { length } = this.#waiting;
    const firstId = takeIds(writer, length);
    while (settled.length < length && (settled.length === 0 || performance.now() < end)) {
      settled.push(this.#runOne(this.#waiting.shift()!, firstId + settled.length));
      if (!writer.inTransaction) throw settled.at(-1)!.error;
    }
  }

  #runOne(waiting: Waiting, id: number): Settled {
    const { batch } = waiting;
    try {
      const decision = batch.decide(
        batch.read.map((statement) => this.#read(statement, batch.lock)),
        id,
      );
      this.#write(decision, batch.lock);
      return { ...waiting, result: decision.result, failed: false };
    } catch (error) {
      return { ...waiting, error, failed: true };
    }
  }

  #read(statement: Statement, lock: string | undefined): Row[] {
    const all = () => this.#parts.writer.all(statement.sql, statement.values);
    return statement.records === true && lock !== undefined ? this.#parts.records.read(lock, statement, all) : all();
  }

  /** All or none of it. */
  #write({ write }: Decision<unknown>, lock: string | undefined): void {
    const { writer, records } = this.#parts;
    writer.run("savepoint batch", []);
    try {
      for (const { sql, values, records: changesRecords } of write) {
        if (changesRecords === true && lock !== undefined) records.forget(lock);
        writer.run(sql, values);
        this.#written += values.length;
      }
    } catch (error) {
      if (writer.inTransaction) writer.run("rollback to batch", []);
      throw error;
    } finally {
      if (writer.inTransaction) writer.run("release batch", []);
    }
  }
}

/** Counts on by `count`; answers the first id of them. */
export function takeIds(writer: Connection, count: number): number {
  const sql = "insert into counter values ('batch', ?) on conflict (name) do update set value = value + excluded.value returning value";
  return Number(writer.all(sql, [count])[0]!.value) - count + 1;
}
