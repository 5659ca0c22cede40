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
import type { TransactionCallback } from "../database.ts";
import { isConflict } from "../faults.ts";
import type { Tables } from "../schema.ts";
import { toStorable } from "../statements.ts";

/**
 * Settings are local to the transaction, because a transaction pooler would leak session settings. With a stricter isolation level, reads
 * would use a snapshot from before the lock. The timeout ends abandoned transactions, which would otherwise hold their locks for two hours.
 */
export const BEGIN_TRANSACTION = "begin isolation level read committed; set local idle_in_transaction_session_timeout = '15s'";

/** Like `BEGIN`, but without timeouts, which could abort the migration of a large table. */
export const BEGIN_UNLIMITED = `${BEGIN_TRANSACTION}; set local lock_timeout = 0; set local statement_timeout = 0`;

/**
 * Like `BEGIN_UNLIMITED`, but uses one shard at a time. Citus can't change a distributed table after a statement that ran on several shards
 * in parallel.
 */
export const BEGIN_SEQUENTIAL = `${BEGIN_UNLIMITED}; set local citus.multi_shard_modify_mode = 'sequential'`;

export function beginBatch(waitMs: number): string {
  return `${BEGIN_TRANSACTION}; set local lock_timeout = '${Math.ceil(waitMs)}ms'; set local statement_timeout = 0`;
}

export function lockStatement(key: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/**
 * Locks the row of a property. In a distributed database, a commit that failed halfway holds this lock on its worker until Citus completes it,
 * even though the coordinator has already released the other lock.
 */
export const LOCK_PROPERTY_ROW = "select 1 from property where code = ? for no key update";

/** If `lockRow` is true, the property's row is also locked. */
export type LockOptions = { kysely: Kysely<Tables>; lockRow: boolean };

const MAX_ATTEMPTS = 5;

/** Retries the work after a conflict with another transaction. */
export async function lockedOn<T>({ kysely, lockRow }: LockOptions, key: string, work: TransactionCallback<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await kysely.transaction().execute(async (db) => {
        await db.executeQuery(CompiledQuery.raw(`select ${lockStatement("$1")}`, [key]));
        if (lockRow) await db.executeQuery(CompiledQuery.raw(LOCK_PROPERTY_ROW.replace("?", "$1"), [key]));
        return work(db);
      });
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
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

/**
 * Takes no session lock for migrations, because it could outlive the migration behind a pooler. Migrations already hold a transaction lock.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class QueryCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(toStorable(value));
  }
}
