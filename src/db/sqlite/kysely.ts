import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { SqlValue } from "../database.ts";
import type { Tables } from "../schema.ts";
import { toStorable } from "../statements.ts";
import { beginTransaction, type Connection, retryWhileBusy } from "./connection.ts";
import type { Mutex } from "./mutex.ts";

export function kyselyOn(connection: Connection, mutex: Mutex, onAcquired: () => void = () => {}): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new SqliteDriver(connection, mutex, onAcquired),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}

/** Runs all pending migrations in one transaction. Other processes wait for it. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class QueryCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(toStorable(value));
  }
}

class SqliteDriver implements Driver {
  readonly #connection: Connection;
  readonly #shared: KyselyConnection;
  readonly #mutex: Mutex;
  readonly #onAcquired: () => void;
  #release: (() => void) | undefined;

  constructor(connection: Connection, mutex: Mutex, onAcquired: () => void) {
    this.#connection = connection;
    this.#shared = new KyselyConnection(connection);
    this.#mutex = mutex;
    this.#onAcquired = onAcquired;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#mutex.acquire();
    this.#onAcquired();
    this.#release = release;
    return this.#shared;
  }

  async beginTransaction(): Promise<void> {
    await beginTransaction(this.#connection);
  }

  async commitTransaction(): Promise<void> {
    this.#connection.checkFiles();
    this.#connection.run("commit", []);
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#connection.inTransaction) this.#connection.run("rollback", []);
  }

  async releaseConnection(): Promise<void> {
    this.#release?.();
  }

  async destroy(): Promise<void> {}
}

class KyselyConnection implements DatabaseConnection {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Runs a query. Transactions check the database files when they start; reads need no check. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#connection.writes && !this.#connection.inTransaction) this.#connection.checkFiles();
    return retryWhileBusy(() => this.#execute<R>(query));
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { rows, done } = this.#connection.execute(sql, parameters as SqlValue[]);
    if (!done) return { rows: rows as R[] };
    return { rows: [], numAffectedRows: BigInt(done.changes), insertId: BigInt(done.lastInsertRowid) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}
