import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
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
import type { Batch, ColumnTypes, Database, Row, Value } from "./database.ts";
import { isBusy } from "./faults.ts";
import { Mutex } from "./mutex.ts";
import { oncePerTurn } from "./once-per-turn.ts";
import type { Tables } from "./schema.ts";
import { sqliteCatalog } from "./sqlite-catalog.ts";
import { storable } from "./text.ts";

/** Work of one shared commit stops here, so that a burst of large messages does not hold up the event loop. */
const COMMIT_BUDGET_MS = 20;
const BUSY_LIMIT_MS = 5_000;
const STATEMENTS_KEPT = 500;

const columnTypes: ColumnTypes = {
  integer: "integer",
  bytes: "blob",
  serial: "integer primary key autoincrement",
  strict: " strict",
  batchCounter: "create table counter (name text primary key, value integer not null) strict",
};

/** Opens the file at `path`, making it and its folder when missing. One connection writes, another reads. */
export function openSqlite(path: string): Database {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const writer = new Connection(path);
  const reader = path === ":memory:" ? writer : new Connection(path, { readOnly: true });
  const mutex = new Mutex();
  const commits = new GroupCommit(writer, mutex);
  const write = kyselyOn(writer, mutex);
  const read = reader === writer ? write : kyselyOn(reader, new Mutex());
  return {
    columnTypes,
    read,
    write,
    commit: (batch) => commits.add(batch),
    reserve: async (count) => takeIds(writer, count),
    version: oncePerTurn(
      async () => versionSeenBy(reader),
      () => writer.used,
    ),
    describe: async () => describe(path, reader),
    catalog: sqliteCatalog(read, () => openSqlite(":memory:")),
    backup: (to) => backup(reader, to),
    async close() {
      await commits.idle();
      const release = await mutex.acquire();
      if (reader !== writer) reader.close();
      writer.run("pragma wal_checkpoint(truncate)", []);
      writer.close();
      release();
    },
  };
}

/** Changes with every commit of another connection; the reader makes none: https://www.sqlite.org/pragma.html#pragma_data_version */
function versionSeenBy(reader: Connection): string {
  return String(reader.all("pragma data_version", [])[0]!.data_version);
}

function describe(path: string, reader: Connection) {
  const version = String(reader.all("select sqlite_version() as version", [])[0]?.version);
  const bytes = path === ":memory:" ? 0 : statSync(path).size;
  return { engine: "SQLite" as const, version, location: path, bytes };
}

/** Nothing to save while there is no table. */
async function backup(reader: Connection, to: string): Promise<string | undefined> {
  if (reader.all("select 1 from sqlite_master limit 1", []).length === 0) return undefined;
  mkdirSync(dirname(to), { recursive: true });
  reader.run("vacuum into ?", [to]);
  return to;
}

/** A connection that keeps its prepared statements. */
class Connection {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Counts statements. */
  used = 0;

  constructor(path: string, options: { readOnly?: boolean } = {}) {
    this.#db = new DatabaseSync(path, { ...options, timeout: 50 });
    if (!options.readOnly) this.#db.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
    this.#db.exec("pragma cache_size = -16000; pragma temp_store = memory");
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  statement(sql: string): StatementSync {
    this.used++;
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear();
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  all(sql: string, values: readonly Value[]): Row[] {
    return this.statement(sql).all(...values) as Row[];
  }

  run(sql: string, values: readonly Value[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.statement(sql).run(...values);
  }

  close(): void {
    this.#db.close();
  }
}

/** Takes `begin immediate`, waiting without blocking while another process writes. */
async function begin(connection: Connection): Promise<void> {
  for (let waited = 0; ; waited += 10) {
    try {
      connection.run("begin immediate", []);
      return;
    } catch (error) {
      if (!isBusy(error) || waited > BUSY_LIMIT_MS) throw error;
      await sleep(10);
    }
  }
}

type Waiting = { batch: Batch<unknown>; resolve: (result: unknown) => void; reject: (error: unknown) => void };
type Settled = Waiting & { result?: unknown; error?: unknown; failed: boolean };

/** Batches that arrive together share one transaction, each in a savepoint of its own. */
class GroupCommit {
  readonly #writer: Connection;
  readonly #mutex: Mutex;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(writer: Connection, mutex: Mutex) {
    this.#writer = writer;
    this.#mutex = mutex;
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
      const release = await this.#mutex.acquire();
      try {
        await this.#commitSome();
      } finally {
        release();
      }
    }
    this.#running = undefined;
  }

  async #commitSome(): Promise<void> {
    const settled: Settled[] = [];
    try {
      await begin(this.#writer);
      const end = performance.now() + COMMIT_BUDGET_MS;
      while (this.#waiting.length > 0 && (settled.length === 0 || performance.now() < end)) {
        settled.push(this.#runOne(this.#waiting.shift()!));
        if (!this.#writer.inTransaction) throw settled.at(-1)!.error;
      }
      this.#writer.run("commit", []);
    } catch (error) {
      if (this.#writer.inTransaction) this.#writer.run("rollback", []);
      const lost = settled.length > 0 ? settled : this.#waiting.splice(0);
      for (const waiting of lost) waiting.reject(error);
      return;
    }
    for (const one of settled) one.failed ? one.reject(one.error) : one.resolve(one.result);
  }

  #runOne(waiting: Waiting): Settled {
    const writer = this.#writer;
    writer.run("savepoint batch", []);
    try {
      const rows = waiting.batch.read.map(({ sql, values }) => writer.all(sql, values));
      const { write, result } = waiting.batch.decide(rows, takeIds(writer, 1));
      for (const { sql, values } of write) writer.run(sql, values);
      writer.run("release batch", []);
      return { ...waiting, result, failed: false };
    } catch (error) {
      if (writer.inTransaction) writer.run("rollback to batch", []);
      if (writer.inTransaction) writer.run("release batch", []);
      return { ...waiting, error, failed: true };
    }
  }
}

/** Counts on by `count`; answers the first id of them. */
function takeIds(writer: Connection, count: number): number {
  const sql = "insert into counter values ('batch', ?) on conflict (name) do update set value = value + excluded.value returning value";
  return Number(writer.all(sql, [count])[0]!.value) - count + 1;
}

function kyselyOn(connection: Connection, mutex: Mutex): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SqliteDriver(connection, mutex),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
    },
  });
}

class QueryCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(storable(value));
  }
}

/** Kysely's driver over one connection: whoever asks waits until the one before has finished. */
class SqliteDriver implements Driver {
  readonly #connection: Connection;
  readonly #mutex: Mutex;
  readonly #held = new WeakMap<DatabaseConnection, () => void>();

  constructor(connection: Connection, mutex: Mutex) {
    this.#connection = connection;
    this.#mutex = mutex;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#mutex.acquire();
    const connection = new KyselyConnection(this.#connection);
    this.#held.set(connection, release);
    return connection;
  }

  async beginTransaction(): Promise<void> {
    await begin(this.#connection);
  }

  async commitTransaction(): Promise<void> {
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

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#connection.statement(sql);
    const values = parameters as SQLInputValue[];
    if (statement.columns().length > 0) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.#connection.statement(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] };
  }
}
