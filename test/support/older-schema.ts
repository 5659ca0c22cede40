import assert from "node:assert/strict";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Database } from "../../src/db/database.ts";
import { migrationScripts } from "../../src/db/migrate.ts";

/** Empties the database and migrates it to the version before migration `name`. Returns the names of the applied migrations. */
export async function migrateBefore(database: Database, name: string): Promise<string[]> {
  const { engine } = await database.describe();
  if (engine === "PostgreSQL") await dropSchema(database);
  const migrations = (await migrationScripts(database.columnTypes)).filter((script) => script.name < name);
  const run = (statements: readonly string[]) => async (db: Kysely<unknown>) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  const steps = Object.fromEntries(migrations.map((script) => [script.name, { up: run(script.statements) }]));
  const { error } = await new Migrator({ db: database.write, provider: { getMigrations: async () => steps } }).migrateToLatest();
  assert.equal(error, undefined);
  return migrations.map((script) => script.name);
}

export async function dropSchema({ write }: Database): Promise<void> {
  await sql`drop schema public cascade`.execute(write);
  await sql`create schema public`.execute(write);
}
