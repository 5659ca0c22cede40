import type { Row, Statement, Value } from "../database.ts";
import type { Connection } from "./connection.ts";

/** The last rows of a statement, and the values it had. */
type Answer = { values: readonly Value[]; rows: Row[] };

/** How many locks keep records. */
const LOCKS_KEPT = 2_000;

/**
 * Records that batches have read, by lock. They are good until this process writes records of the lock or anything
 * outside of batches, or another process writes at all.
 */
export class KeptRecords {
  readonly #locks = new Map<string, Map<string, Answer>>();
  #version: unknown;

  /** Forgets all when another process has written. Called at the start of a write transaction, after which none can write. */
  check(writer: Connection): void {
    const [row] = writer.all("pragma data_version", []);
    if (row!.data_version !== this.#version) this.clear();
    this.#version = row!.data_version;
  }

  /** The rows of a statement on records, read only when they are not kept. */
  read(lock: string, { sql, values }: Statement, all: () => Row[]): Row[] {
    let known = this.#locks.get(lock);
    if (!known) this.#locks.set(lock, (known = this.#make()));
    const answer = known.get(sql);
    if (answer && isSame(answer.values, values)) return answer.rows;
    const rows = all();
    known.set(sql, { values, rows });
    return rows;
  }

  forget(lock: string): void {
    this.#locks.delete(lock);
  }

  clear(): void {
    this.#locks.clear();
  }

  #make(): Map<string, Answer> {
    if (this.#locks.size >= LOCKS_KEPT) this.clear();
    return new Map();
  }
}

function isSame(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
