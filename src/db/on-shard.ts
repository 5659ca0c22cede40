import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Database } from "./database.ts";

/**
 * Whether `column` has this property. Only a distributed database needs the condition, to send the statement to one shard. Elsewhere it is
 * always true, because rows of earlier versions have no property.
 */
export function onShard({ isDistributed }: Database, column: string, property: string): RawBuilder<SqlBool> {
  return isDistributed ? sql`${sql.ref(column)} = ${property}` : ALWAYS_TRUE;
}

/** Like `onShard`, but for a join: whether both columns have the same property. */
export function onSameShard({ isDistributed }: Database, column: string, other: string): RawBuilder<SqlBool> {
  return isDistributed ? sql`${sql.ref(column)} = ${sql.ref(other)}` : ALWAYS_TRUE;
}

const ALWAYS_TRUE = sql<SqlBool>`1 = 1`;
