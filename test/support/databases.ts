import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe } from "node:test";
import { type ClientBase, Pool } from "pg";
import type { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openDatabase } from "../../src/db/open.ts";
import { sharedPostgres } from "./shared-postgres.ts";

export type Engine = "SQLite" | "PostgreSQL";
export const ENGINES: readonly Engine[] = ["SQLite", "PostgreSQL"];

export type Place = { url: string | undefined; folder: string };

/** Opens a new migrated database, or the one at `place`. The database is closed automatically. */
export type Open = (place?: Place) => Promise<Database>;

/**
 * Registers the same tests on each engine, always on real databases.
 * A database opened in a test is removed before the next test. A database opened in a `before` hook is removed after the last test.
 */
export function eachEngine(name: string, tests: (open: Open, makePlace: () => Promise<Place>) => void): void {
  for (const engine of ENGINES) {
    describe(`${name} on ${engine}`, () => {
      const afterAll = new Cleanup();
      const afterEachTest = new Cleanup();
      let current = afterAll;
      beforeEach(async () => {
        await afterEachTest.run();
        current = afterEachTest;
      });
      const makePlace = () => placeFor(engine, current);
      const open = async (place?: Place) => openUntil(current, place ?? (await makePlace()));
      tests(open, makePlace);
      afterEach(() => {
        current = afterAll;
      });
      after(async () => {
        await afterEachTest.run();
        await afterAll.run();
      });
    });
  }
}

export async function openFresh(engine: Engine): Promise<{ database: Database; place: Place; remove(): Promise<void> }> {
  const cleanup = new Cleanup();
  const place = await placeFor(engine, cleanup);
  return { database: await openUntil(cleanup, place), place, remove: () => cleanup.run() };
}

class Cleanup {
  #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).toReversed()) await step();
  }
}

async function openUntil(cleanup: Cleanup, place: Place): Promise<Database> {
  const database = await openDatabase(place.url, place.folder);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= database.close());
  cleanup.add(close);
  return { ...database, close };
}

async function placeFor(engine: Engine, cleanup: Cleanup): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-test-"));
  cleanup.add(async () => rmSync(folder, { recursive: true, force: true }));
  if (engine === "PostgreSQL") return { url: await createPostgresDatabase(cleanup), folder };
  copyFileSync(await sqliteTemplate(), join(folder, "roomrack.sqlite"));
  return { url: undefined, folder };
}

let sqliteFile: Promise<string> | undefined;

/** Returns the path of a migrated database to copy. Processes with the same temporary folder share it. */
function sqliteTemplate(): Promise<string> {
  return (sqliteFile ??= (async () => {
    const file = join(tmpdir(), `roomrack-template-${migrationsHash()}.sqlite`);
    if (!existsSync(file)) await makeSqliteTemplate(file);
    return file;
  })());
}

/** Creates the template database. Moves the finished file into place, so that other processes never see an incomplete file. */
async function makeSqliteTemplate(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-test-"));
  await migrateAndClose(await openDatabase(undefined, folder));
  renameSync(join(folder, "roomrack.sqlite"), file);
  rmSync(folder, { recursive: true });
}

async function createPostgresDatabase(cleanup: Cleanup): Promise<string> {
  const template = await postgresTemplate();
  const name = `roomrack_test_${randomBytes(8).toString("hex")}`;
  await administer((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  cleanup.add(() => administer(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))));
  return urlOf(await sharedPostgres(), name);
}

let template: Promise<string> | undefined;

/** Returns the name of a migrated database to copy. All processes that use the server share it. */
function postgresTemplate(): Promise<string> {
  return (template ??= administer(async (client) => {
    const name = `roomrack_template_${migrationsHash()}`;
    await client.query("select pg_advisory_lock(hashtext('roomrack template'))");
    try {
      const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
      if (rowCount === 0) await makePostgresTemplate(client, name);
    } finally {
      await client.query("select pg_advisory_unlock(hashtext('roomrack template'))");
    }
    return name;
  }));
}

async function makePostgresTemplate(client: ClientBase, name: string): Promise<void> {
  const unfinished = `${name}_unfinished`;
  await client.query(`drop database if exists ${unfinished} with (force)`);
  await client.query(`create database ${unfinished}`);
  await migrateAndClose(await openDatabase(urlOf(await sharedPostgres(), unfinished), tmpdir()));
  await client.query(`alter database ${unfinished} rename to ${name}`);
}

async function migrateAndClose(database: Database): Promise<void> {
  await migrate(database);
  await database.close();
}

function migrationsHash(): string {
  const folder = new URL("../../migrations/", import.meta.url);
  const migrator = new URL("../../src/db/migrate.ts", import.meta.url);
  const hash = createHash("sha256").update(readFileSync(migrator));
  for (const file of readdirSync(folder).toSorted()) hash.update(file).update(readFileSync(new URL(file, folder)));
  return hash.digest("hex").slice(0, 16);
}

let administrators: Promise<Pool> | undefined;

async function administer<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
  const pool = await (administrators ??= openPool());
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

async function openPool(): Promise<Pool> {
  return new Pool({ connectionString: await sharedPostgres(), allowExitOnIdle: true }).on("error", () => {});
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
