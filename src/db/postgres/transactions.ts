import {
  CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  PostgresQueryCompiler,
} from "kysely";
import type { Pool } from "pg";
import type { Transact } from "../database.ts";
import type { Tables } from "../schema.ts";
import { storable } from "../text.ts";

/**
 * Begins a transaction. What holds in it is set in it: behind a pooler that gives each transaction another connection, what is set for
 * a session holds for others. The server's default isolation may be another, in which reads after a lock would show the state before
 * it. A server cannot detect a silent client, and would hold the locks of an abandoned transaction for two hours, so it ends one that
 * idles longer than deciding a message takes.
 */
export const BEGIN = "begin isolation level read committed; set local idle_in_transaction_session_timeout = '15s'";

/** The same without the server's limits on statements, which would end migrations of large tables. */
export const BEGIN_UNLIMITED = `${BEGIN}; set local lock_timeout = 0; set local statement_timeout = 0`;

/** The same for a batch, which waits so long for each lock. */
export function beginBatch(waitMs: number): string {
  return `${BEGIN}; set local lock_timeout = '${Math.ceil(waitMs)}ms'; set local statement_timeout = 0`;
}

/** Waits for the transactions that hold the lock of `key`, an expression, of every process, and holds it until this one ends. */
export function lockOf(key: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/** Runs `work` in a transaction that holds the lock of `key`. */
export function lockedOn<T>(kysely: Kysely<Tables>, key: string, work: Transact<T>): Promise<T> {
  return kysely.transaction().execute(async (db) => {
    await db.executeQuery(CompiledQuery.raw(`select ${lockOf("$1")}`, [key]));
    return work(db);
  });
}

/** Queries over a pool, whose transactions begin with `begin`. */
export class Dialect extends PostgresDialect {
  readonly #driver: () => Driver;

  constructor(pool: Pool, begin: string) {
    super({ pool });
    this.#driver = () => new Driver(pool, begin);
  }

  override createDriver(): PostgresDriver {
    return this.#driver();
  }

  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new QueryCompiler();
  }
}

type PooledConnection = Parameters<PostgresDriver["rollbackTransaction"]>[0];

class Driver extends PostgresDriver {
  readonly #begin: string;

  constructor(pool: Pool, begin: string) {
    super({ pool });
    this.#begin = begin;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
  }

  /** Fails only when the connection is broken: then the server has rolled back, and what broke it is the fault to tell of. */
  override async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

/** A migration runs under a lock of its transaction. The migrator's own would be one of the session, and outlive it behind a pooler. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class QueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(storable(value));
  }
}
