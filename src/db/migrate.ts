import { readdir } from "node:fs/promises";
import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { ColumnTypes, Database } from "./database.ts";

const FOLDER = new URL("../../migrations/", import.meta.url);

/** The data was written by a newer version of the service than this one. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
}

/** Names of the migrations that this database still lacks. Throws `NewerSchemaError` when it has one that is unknown here. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const known = Object.keys(await readMigrations(database));
  const done = await appliedMigrations(database);
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NewerSchemaError(`The database was made by a newer version of Roomrack: it has the migration ${unknown.join(", ")}, which this version does not know. Start the newer version, or restore a backup.`);
  return known.filter((name) => !done.includes(name));
}

/** Brings the database to the newest schema; resolves to the names of the migrations that ran. */
export async function migrate(database: Database): Promise<string[]> {
  const migrator = new Migrator({ db: database.write, provider: { getMigrations: () => readMigrations(database) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

async function appliedMigrations(database: Database): Promise<string[]> {
  const tables = await database.read.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === "kysely_migration")) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.read);
  return rows.map((row) => row.name);
}

async function readMigrations(database: Database): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".ts")).toSorted();
  const entries = files.map(async (file) => {
    const { up } = (await import(new URL(file, FOLDER).href)) as { up: (t: ColumnTypes) => string[] };
    return [file.replace(/\.ts$/, ""), { up: (db: Kysely<unknown>) => runAll(db, up(database.columnTypes)) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function runAll(db: Kysely<unknown>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
