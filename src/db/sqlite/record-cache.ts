import type { Row, Statement, Value } from "../database.ts";
import type { Connection } from "./connection.ts";

type Cached = { values: readonly Value[]; rows: Row[] };

const MAX_LOCKS = 2_000;

/** Valid until this process writes records of the lock or anything outside batches, or another process writes at all. */
export class RecordCache {
  readonly #locks = new Map<string, Map<string, Cached>>();
  #version: unknown;

  /** Clears the cache if another process has written. Call at the start of a write transaction, when no other process can write. */
  check(writer: Connection): void {
    const [row] = writer.all("pragma data_version", []);
    if (row!.data_version !== this.#version) this.clear();
    this.#version = row!.data_version;
  }

  read(lock: string, { sql, values }: Statement, all: () => Row[]): Row[] {
    let known = this.#locks.get(lock);
    if (!known) this.#locks.set(lock, (known = this.#make()));
    const cached = known.get(sql);
    if (cached && isSame(cached.values, values)) return cached.rows;
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

  #make(): Map<string, Cached> {
    if (this.#locks.size >= MAX_LOCKS) this.clear();
    return new Map();
  }
}

function isSame(one: readonly Value[], other: readonly Value[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
