import { readdir } from "node:fs/promises";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { ColumnTypes, Database } from "./database.ts";
import { isMissingTable } from "./faults.ts";

const FOLDER = new URL("../../migrations/", import.meta.url);

/** The data was written by a newer version of the service than this one. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
}

/** Names of the migrations that this database still lacks. Throws `NewerSchemaError` when it has one that is unknown here. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const { pending, unknown } = await migrationState(database);
  if (unknown.length > 0)
    throw new NewerSchemaError(
      `The database was made by a newer version of Roomrack: it has the migration ${unknown.join(", ")}, which this version does not know. Start the newer version, or restore a backup.`,
    );
  return pending.map(({ name }) => name);
}

/** `pending` are those of `scripts` that did not run, `unknown` the names of those that did and are not among them. */
export type MigrationState = {
  history: readonly AppliedMigration[];
  scripts: readonly MigrationScript[];
  pending: readonly MigrationScript[];
  unknown: readonly string[];
};

/** The migrations that ran beside those that this version knows. */
export async function migrationState(database: Database): Promise<MigrationState> {
  const [history, scripts] = await Promise.all([migrationHistory(database), migrationScripts(database.columnTypes)]);
  const done = new Set(history.map(({ name }) => name));
  const known = new Set(scripts.map(({ name }) => name));
  return { history, scripts, pending: scripts.filter(({ name }) => !done.has(name)), unknown: [...done.difference(known)] };
}

/** Brings the database to the newest schema, also after a break; resolves to the names of the migrations that ran. */
export async function migrate(database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database);
  return pending.length === 0 ? [] : runPending(database);
}

/** Another process may have run them meanwhile. */
async function runPending(database: Database): Promise<string[]> {
  const migrationTableSchema = await database.catalog.schemaOfMigrations();
  const provider = { getMigrations: () => readMigrations(database) };
  return database.alter(async (db) => {
    const { error, results } = await new Migrator({ db, provider, migrationTableSchema }).migrateToLatest();
    if (error !== undefined) throw error as Error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

/** A migration that ran, and when by the clock of the machine that ran it (ISO 8601). */
export type AppliedMigration = { name: string; at: string };

/** The migrations of this database, in order; none when it is new. */
export async function migrationHistory(database: Database): Promise<AppliedMigration[]> {
  try {
    const { rows } = await sql<AppliedMigration>`select name, timestamp as at from kysely_migration order by name`.execute(database.read);
    return rows;
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/** A migration with its SQL for one engine. */
export type MigrationScript = { name: string; statements: readonly string[] };

/** Every migration that this version knows, in order. */
export async function migrationScripts(types: ColumnTypes): Promise<MigrationScript[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".ts")).toSorted();
  const scripts = files.map(async (file) => {
    const { up } = (await import(new URL(file, FOLDER).href)) as { up: (t: ColumnTypes) => string[] };
    return { name: file.replace(/\.ts$/, ""), statements: up(types) };
  });
  return Promise.all(scripts);
}

async function readMigrations(database: Database): Promise<Record<string, Migration>> {
  const scripts = await migrationScripts(database.columnTypes);
  return Object.fromEntries(scripts.map(({ name, statements }) => [name, { up: (db: Kysely<unknown>) => runAll(db, statements) }]));
}

async function runAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
