import {
  CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  PostgresQueryCompiler,
} from "kysely";
import type { Transact } from "../database.ts";
import type { Tables } from "../schema.ts";
import { storable } from "../statements.ts";

/**
 * Settings are local to the transaction, because a transaction pooler would leak session settings. With a stricter isolation level, reads
 * would use a snapshot from before the lock. The timeout ends abandoned transactions, which would otherwise hold their locks for two hours.
 */
export const BEGIN = "begin isolation level read committed; set local idle_in_transaction_session_timeout = '15s'";

/** Disables statement timeouts, which could abort the migration of a large table. */
export const BEGIN_UNLIMITED = `${BEGIN}; set local lock_timeout = 0; set local statement_timeout = 0`;

export function beginBatch(waitMs: number): string {
  return `${BEGIN}; set local lock_timeout = '${Math.ceil(waitMs)}ms'; set local statement_timeout = 0`;
}

export function lockOf(key: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

export function lockedOn<T>(kysely: Kysely<Tables>, key: string, work: Transact<T>): Promise<T> {
  return kysely.transaction().execute(async (db) => {
    await db.executeQuery(CompiledQuery.raw(`select ${lockOf("$1")}`, [key]));
    return work(db);
  });
}

export class Dialect extends PostgresDialect {
  readonly #driver: () => Driver;

  constructor(pool: PostgresPool, begin: string) {
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

  constructor(pool: PostgresPool, begin: string) {
    super({ pool });
    this.#begin = begin;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
  }

  override async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

/** Migrations already hold a transaction lock. The migrator's session lock could outlive the migration behind a pooler. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class QueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(storable(value));
  }
}
