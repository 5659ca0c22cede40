import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

export type Schema = readonly SchemaTable[];

export type SchemaTable = {
  name: string;
  kind: "table" | "counter";
  create: string;
  columns: readonly SchemaColumn[];
  constraints: readonly string[];
  indexes: readonly SchemaIndex[];
};

/** `definition` is the SQL after the column name. `addable` columns can be added to a table that has rows. */
export type SchemaColumn = { name: string; definition: string; addable: boolean };
export type SchemaIndex = { name: string; create: string };

/** Distributed by property across all servers, or only on the coordinator. */
export type TablePlacement = "distributed" | "coordinator";

export type Catalog = {
  /** Reads the live schema, except system and migration tables. Inside `alter`, pass its handle. */
  read(handle: Kysely<Tables>): Promise<Schema>;
  draft(statements: readonly string[]): Promise<Schema>;
  estimateRows(): Promise<ReadonlyMap<string, number>>;
  /** Returns where Citus stores each table that it manages. Empty on other engines. */
  placements(): Promise<ReadonlyMap<string, TablePlacement>>;
  /** Returns the PostgreSQL schema that contains the migration tables; undefined on SQLite. */
  schemaOfMigrations(): Promise<string | undefined>;
};

export const MIGRATION_TABLES: readonly string[] = ["kysely_migration", "kysely_migration_lock"];

export function normaliseStatement(statement: string): string {
  return statement
    .split(/('(?:[^']|'')*')/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll(/\s+/g, " ")
            .replaceAll(/ ?([(),]) ?/g, "$1")
            .toLowerCase(),
    )
    .join("")
    .trim();
}
