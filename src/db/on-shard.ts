import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Database } from "./database.ts";

/**
 * Returns the condition that `column` contains this property. Only a distributed database needs it, to run a statement on one shard. On
 * other databases it is always true, because rows written by earlier versions have no property.
 */
export function onShard({ isDistributed }: Database, column: string, property: string): RawBuilder<SqlBool> {
  return isDistributed ? sql`${sql.ref(column)} = ${property}` : ALWAYS_TRUE;
}

/** Like `onShard`, but for a join. The condition is that both columns contain the same property. */
export function onSameShard({ isDistributed }: Database, column: string, other: string): RawBuilder<SqlBool> {
  return isDistributed ? sql`${sql.ref(column)} = ${sql.ref(other)}` : ALWAYS_TRUE;
}

const ALWAYS_TRUE = sql<SqlBool>`1 = 1`;
