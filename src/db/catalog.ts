import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

/** The parts of a database, each with the SQL that makes it on its engine. */
export type Schema = readonly SchemaTable[];

/** A table, or a counter (which has neither columns nor indexes). */
export type SchemaTable = {
  name: string;
  kind: "table" | "counter";
  /** Makes it without indexes. */
  create: string;
  columns: readonly SchemaColumn[];
  /** Keys and the engine's own clauses, as the engine words them, in alphabetical order. */
  constraints: readonly string[];
  indexes: readonly SchemaIndex[];
};

/** `definition` is all that follows the name; `addable` says that a table with rows can be given it. */
export type SchemaColumn = { name: string; definition: string; addable: boolean };
export type SchemaIndex = { name: string; create: string };

/** How an engine describes its schema. */
export type Catalog = {
  /** What exists, without tables of the engine and the migrations; `handle` is `read`, or what `alter` hands out. */
  read(handle: Kysely<Tables>): Promise<Schema>;
  /** What the statements make in an empty database; it is discarded. */
  draft(statements: readonly string[]): Promise<Schema>;
  /** Estimates the rows of each table without counting; unknown ones are left out. */
  estimateRows(): Promise<ReadonlyMap<string, number>>;
  /** The schema that has, or will have, the tables of the migrations; undefined on an engine with only one. */
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
