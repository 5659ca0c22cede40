import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

/** What a database consists of, each part with the SQL that makes it on its engine. */
export type Schema = readonly SchemaTable[];

/** A table, or a counter (which has neither columns nor indexes). */
export type SchemaTable = {
  name: string;
  kind: "table" | "counter";
  /** Makes it without its indexes. */
  create: string;
  columns: readonly SchemaColumn[];
  /** Keys and the engine's own clauses, as the engine words them, in order of the alphabet. */
  constraints: readonly string[];
  indexes: readonly SchemaIndex[];
};

/** `definition` is all that follows the name; `addable` says that a table with rows can be given it. */
export type SchemaColumn = { name: string; definition: string; addable: boolean };
export type SchemaIndex = { name: string; create: string };

/** How an engine tells of its own schema. */
export type Catalog = {
  /** What is there, without the tables of the engine and of the migrations; `handle` is `read`, or a transaction of `write`. */
  read(handle: Kysely<Tables>): Promise<Schema>;
  /** What these statements make in an empty database; nothing of it stays. */
  draft(statements: readonly string[]): Promise<Schema>;
  /** About how many rows each table has, without counting; a table that nobody can tell of is left out. */
  estimateRows(): Promise<ReadonlyMap<string, number>>;
  /** The name of the schema in which the tables of the migrations are, or will be; undefined on an engine that has one alone. */
  schemaOfMigrations(): Promise<string | undefined>;
};

/** Tables that keep the history of migrations. */
export const MIGRATION_TABLES: readonly string[] = ["kysely_migration", "kysely_migration_lock"];

/** One spelling of statements that mean the same: single spaces, small keywords. Quoted text stays as it is. */
export function normalise(statement: string): string {
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
