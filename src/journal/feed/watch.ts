import type { Database } from "../../db/database.ts";
import type { Cursor } from "./cursor.ts";
import { sequenceChanges } from "./sequence.ts";
import { changedProperties } from "./store.ts";

const POLL_INTERVAL_MS = 50;

/** A waiting reader. No change up to the position `after` is relevant to it. */
type WaitingReader = { after: number; properties: readonly string[] | undefined; wake(): void; fail(error: unknown): void };

/** `properties` defaults to all. The wait ends when the signal aborts. */
export type WaitRequest = { after: Cursor; properties: readonly string[] | undefined; signal: AbortSignal };

/**
 * Wakes this process's readers when any process commits a change. While readers wait, one poll every 50 ms serves all of them, because no
 * database notification works on both engines and behind a connection pooler.
 */
export class ChangeWatch {
  readonly #database: Database;
  readonly #waiting = new Set<WaitingReader>();
  #isScheduled = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves with the position to read up to, after a change or when the signal aborts. Rejects if the database fails. */
  async wait({ after, properties, signal }: WaitRequest): Promise<number> {
    if (signal.aborted) return after.position - 1;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waitingReader: WaitingReader = { after: after.position - 1, properties, wake: resolve, fail: reject };
    this.#waiting.add(waitingReader);
    signal.addEventListener("abort", waitingReader.wake, { once: true });
    this.#schedule();
    try {
      await promise;
      return waitingReader.after;
    } finally {
      this.#waiting.delete(waitingReader);
      signal.removeEventListener("abort", waitingReader.wake);
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => void this.#poll(), POLL_INTERVAL_MS);
  }

  async #poll(): Promise<void> {
    const waitingReaders = [...this.#waiting];
    try {
      if (waitingReaders.length > 0) await this.#wakeChanged(waitingReaders);
    } catch (error) {
      for (const one of waitingReaders) one.fail(error);
    }
    this.#isScheduled = false;
    if (this.#waiting.size > 0) this.#schedule();
  }

  async #wakeChanged(waiting: readonly WaitingReader[]): Promise<void> {
    const tip = await sequenceChanges(this.#database);
    const after = Math.min(...waiting.map((one) => one.after));
    if (tip <= after) return;
    const lastPositions = await changedProperties(this.#database, after, tip);
    for (const one of waiting) {
      const positions = one.properties ? one.properties.map((property) => lastPositions.get(property) ?? 0) : lastPositions.values();
      if (Math.max(0, ...positions) > one.after) one.wake();
      one.after = tip;
    }
  }
}
