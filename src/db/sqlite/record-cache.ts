import type { Row, Statement, SqlValue } from "../database.ts";
import type { Connection } from "./connection.ts";

type CachedRows = { values: readonly SqlValue[]; rows: Row[] };

const MAX_CACHED_LOCKS = 2_000;

/**
 * Caches records by lock. A lock's rows are valid until this process writes records under that lock or outside a batch, or until another
 * process writes anything.
 */
export class RecordCache {
  readonly #locks = new Map<string, Map<string, CachedRows>>();
  #version: unknown;

  /** Clears the cache if another process has written. Call at the start of a write transaction. */
  check(writer: Connection): void {
    const [row] = writer.all("pragma data_version", []);
    if (row!.data_version !== this.#version) this.clear();
    this.#version = row!.data_version;
  }

  read(lock: string, { sql, values }: Statement, readRows: () => Row[]): Row[] {
    let entries = this.#locks.get(lock);
    if (!entries) this.#locks.set(lock, (entries = this.#createEntries()));
    const cachedRows = entries.get(sql);
    if (cachedRows && isSameValues(cachedRows.values, values)) return cachedRows.rows;
    const rows = readRows();
    entries.set(sql, { values, rows });
    return rows;
  }

  forget(lock: string): void {
    this.#locks.delete(lock);
  }

  clear(): void {
    this.#locks.clear();
  }

  #createEntries(): Map<string, CachedRows> {
    if (this.#locks.size >= MAX_CACHED_LOCKS) this.clear();
    return new Map();
  }
}

function isSameValues(a: readonly SqlValue[], b: readonly SqlValue[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
