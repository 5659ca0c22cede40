import { readdir } from "node:fs/promises";
import { sql, type Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Schema } from "./catalog.ts";
import type { Database, ColumnTypes } from "./database.ts";
import { isMissingTable } from "./faults.ts";

const MIGRATIONS_FOLDER = new URL("../../migrations/", import.meta.url);

export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
}

export async function pendingMigrations(database: Database): Promise<string[]> {
  const { pending: pendingNames, unknown } = await migrationState(database);
  if (unknown.length > 0)
    throw new NewerSchemaError(
      `This database belongs to a newer version of Roomrack (unknown migration: ${unknown.join(", ")}). Start that version, or restore a backup.`,
    );
  return pendingNames.map(({ name }) => name);
}

/** `pending` migrations are not yet applied. `unknown` migrations were applied by a newer version. */
export type MigrationState = {
  history: readonly AppliedMigration[];
  scripts: readonly MigrationScript[];
  pending: readonly MigrationScript[];
  unknown: readonly string[];
};

export async function migrationState(database: Database): Promise<MigrationState> {
  const [history, scripts] = await Promise.all([migrationHistory(database), migrationScripts(database.columnTypes)]);
  const appliedNames = new Set(history.map(({ name }) => name));
  const knownNames = new Set(scripts.map(({ name }) => name));
  return {
    history,
    scripts,
    pending: scripts.filter(({ name }) => !appliedNames.has(name)),
    unknown: [...appliedNames.difference(knownNames)],
  };
}

export async function migrate(database: Database): Promise<string[]> {
  const pendingNames = await pendingMigrations(database);
  return pendingNames.length === 0 ? [] : runPending(database);
}

async function runPending(database: Database): Promise<string[]> {
  const migrationTableSchema = await database.catalog.schemaOfMigrations();
  const provider = { getMigrations: () => readMigrations(database) };
  return database.alter(async (db) => {
    const { error, results } = await new Migrator({ db, provider, migrationTableSchema }).migrateToLatest();
    if (error !== undefined) throw error as Error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

/** `at` is an ISO 8601 time from the clock of the machine that ran the migration. */
export type AppliedMigration = { name: string; at: string };

export async function migrationHistory(database: Database): Promise<AppliedMigration[]> {
  try {
    const { rows } = await sql<AppliedMigration>`select name, timestamp as at from kysely_migration order by name`.execute(database.read);
    return rows;
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

export type MigrationScript = { name: string; statements: readonly string[] };

export async function migrationScripts(types: ColumnTypes): Promise<MigrationScript[]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith(".ts")).toSorted();
  const scripts = files.map(async (file) => {
    const { up } = (await import(new URL(file, MIGRATIONS_FOLDER).href)) as { up: (t: ColumnTypes) => string[] };
    return { name: file.replace(/\.ts$/, ""), statements: up(types) };
  });
  return Promise.all(scripts);
}

async function readMigrations(database: Database): Promise<Record<string, Migration>> {
  const scripts = await migrationScripts(database.columnTypes);
  return Object.fromEntries(
    scripts.map(({ name, statements }) => [name, { up: (db: Kysely<unknown>) => runAllStatements(db, statements) }]),
  );
}

async function runAllStatements(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Runs all statements that `decide` returns, or none. Other schema changes wait. */
export async function changeSchema(database: Database, decide: (live: Schema) => readonly string[]): Promise<void> {
  await database.alter(async (db) => {
    for (const statement of decide(await database.catalog.read(db))) await sql.raw(statement).execute(db);
  });
}
