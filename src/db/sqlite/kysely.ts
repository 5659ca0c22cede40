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
import type { Value } from "../database.ts";
import type { Tables } from "../schema.ts";
import { storable } from "../text.ts";
import { begin, type Connection, untilFree } from "./connection.ts";
import type { Mutex } from "./mutex.ts";

/** Queries over one connection; `onHeld` runs whenever somebody takes it, before the first query. */
export function kyselyOn(connection: Connection, mutex: Mutex, onHeld: () => void = () => {}): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new SqliteDriver(connection, mutex, onHeld),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}

/** SQLite undoes changes of the schema, too: all migrations of a start are one transaction, for which another process waits. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class QueryCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(storable(value));
  }
}

/** Kysely's driver over one connection: each caller waits until the one before has finished. */
class SqliteDriver implements Driver {
  readonly #connection: Connection;
  readonly #shared: KyselyConnection;
  readonly #mutex: Mutex;
  readonly #onHeld: () => void;
  /** Lets the next caller in; set while somebody holds the connection. */
  #release: (() => void) | undefined;

  constructor(connection: Connection, mutex: Mutex, onHeld: () => void) {
    this.#connection = connection;
    this.#shared = new KyselyConnection(connection);
    this.#mutex = mutex;
    this.#onHeld = onHeld;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#mutex.acquire();
    this.#onHeld();
    this.#release = release;
    return this.#shared;
  }

  async beginTransaction(): Promise<void> {
    await begin(this.#connection);
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

  /** A transaction checked the files when it began; reading does without. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#connection.writes && !this.#connection.inTransaction) this.#connection.checkFiles();
    return untilFree(() => this.#execute<R>(query));
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { rows, done } = this.#connection.execute(sql, parameters as Value[]);
    if (!done) return { rows: rows as R[] };
    return { rows: [], numAffectedRows: BigInt(done.changes), insertId: BigInt(done.lastInsertRowid) };
  }

  /** All rows at once. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}
