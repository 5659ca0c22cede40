import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { startApp } from "../../../test/support/app.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, TODAY } from "../../../test/support/hotel.ts";
import { pgBouncerVersion, startPgBouncer } from "../../../test/support/pg-bouncer.ts";
import { poolTransactions } from "../../../test/support/transaction-pooler.ts";
import type { Row } from "../database.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

const POOLING = { connections: 3, tracksStatements: true };
const LOCKS =
  "select mode from pg_locks join pg_database d on d.oid = database where datname = current_database() and locktype = 'advisory'";
const LIMITS = "select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement";

test("migrates through a transaction pooler and leaves no locks behind", async () => {
  await using server = await openServer();
  await server.query("drop schema public cascade; create schema public");
  using pooler = await poolTransactions(server.url, POOLING);
  for (let start = 1; start <= 4; start++) {
    const database = await openDatabase(pooler.url, server.folder);
    const made = await migrate(database);
    await database.close();
    assert.equal(made.length > 0, start === 1);
    assert.deepEqual(await server.query(LOCKS), [], `after start ${start}`);
  }
});

test("through a transaction pooler, pages keep the server's timeouts, but messages use their own", async () => {
  await using server = await openServer();
  for (const limit of ["lock_timeout", "statement_timeout"]) await server.query(`alter database ${server.name} set ${limit} = '3min'`);
  using pooler = await poolTransactions(server.url, POOLING);
  const database = await openDatabase(pooler.url, server.folder);
  const decide = ([rows]: readonly Row[][]) => ({ write: [], result: rows![0] });
  for (let turn = 1; turn <= 4; turn++) {
    const batch = await database.commit({ lock: "hotel", read: [{ sql: LIMITS, values: [] }], decide });
    assert.deepEqual(batch, { lock: "250ms", statement: "0" }, `message ${turn}`);
    const { rows } = await sql.raw(LIMITS).execute(database.read);
    assert.deepEqual(rows, [{ lock: "3min", statement: "3min" }], `page ${turn}`);
  }
  await database.close();
});

const PGBOUNCER_VERSION = pgBouncerVersion();
const TRACKS_STATEMENTS = 1.21;
if (PGBOUNCER_VERSION !== undefined) {
  test("works through PgBouncer in session mode", () => storeThrough(["pool_mode = session"]));

  test("works through PgBouncer in transaction mode if it tracks prepared statements, and otherwise suggests session mode", async () => {
    if (PGBOUNCER_VERSION >= TRACKS_STATEMENTS) {
      await storeThrough(["pool_mode = transaction", "default_pool_size = 3", "max_prepared_statements = 200"]);
      await assert.rejects(storeThrough(["pool_mode = transaction", "max_prepared_statements = 0"]), /Set pool_mode = session/);
    } else {
      await assert.rejects(storeThrough(["pool_mode = transaction"]), /Set pool_mode = session/);
    }
  });
}

const countsOf = (count: number) => countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, count]] });

async function storeThrough(settings: readonly string[]): Promise<void> {
  const { place, database: direct, remove } = await openFresh("PostgreSQL");
  await direct.close();
  try {
    await using pooler = await startPgBouncer(place.url!, settings);
    const database = await openDatabase(pooler.url, place.folder);
    await migrate(database);
    const service = await startApp({ database });
    try {
      await makeHotel(service);
      await Promise.all(Array.from({ length: 20 }, (_, count) => postMessage(service, countsOf(count))));
      await postMessage(service, countsOf(37));
      assert.match((await service.inject(`/inventories?property=ALP&from=${TODAY}&days=7&format=csv`)).body, /\b37\b/);
    } finally {
      await service.close();
      await database.close();
    }
  } finally {
    await remove();
  }
}

async function openServer() {
  const { place, remove } = await openFresh("PostgreSQL");
  const url = place.url!;
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    url,
    folder: place.folder,
    name: new URL(url).pathname.slice(1),
    query: async (text: string) => (await client.query(text)).rows as unknown[],
    async [Symbol.asyncDispose]() {
      await client.end();
      await remove();
    },
  };
}
