import type { SQLInputValue } from "node:sqlite";
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
  readonly #mutex: Mutex;
  readonly #onHeld: () => void;
  readonly #held = new WeakMap<DatabaseConnection, () => void>();

  constructor(connection: Connection, mutex: Mutex, onHeld: () => void) {
    this.#connection = connection;
    this.#mutex = mutex;
    this.#onHeld = onHeld;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#mutex.acquire();
    this.#onHeld();
    const connection = new KyselyConnection(this.#connection);
    this.#held.set(connection, release);
    return connection;
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

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#held.get(connection)?.();
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
    const statement = this.#connection.statement(sql);
    const values = parameters as SQLInputValue[];
    if (this.#connection.answersRows(statement)) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#connection.statement(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] };
  }
}
