import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { openFresh } from "../../../test/support/databases.ts";
import { poolTransactions } from "../../../test/support/transaction-pooler.ts";
import { until } from "../../../test/support/until.ts";
import { shareConnections } from "../connections.ts";
import { openDatabase } from "../open.ts";

test("waits for a free connection in its pool if the server allows too few connections", async () => {
  await using server = await openLimited(3);
  const database = await openDatabase(server.url, server.folder, { limits: { batches: 8, queries: 8, edits: 2 } });
  const work = Array.from({ length: 40 }, (_, index) => [
    database.commit({ lock: `hotel ${index}`, read: [], decide: () => ({ write: [], result: index }) }),
    database.edit(`hotel ${index}`, async () => index),
    database.read.selectFrom("property").select("code").execute(),
  ]);
  try {
    assert.equal((await Promise.all(work.flat())).length, 120);
  } finally {
    await database.close();
  }
});

test("waits at startup while a pooler is busy, and prints a message", async (t) => {
  const { place, remove } = await openFresh("PostgreSQL");
  using pooler = await poolTransactions(place.url!, { connections: 1, tracksStatements: true });
  const log = t.mock.method(process.stderr, "write", () => true);
  const other = new Client({ connectionString: pooler.url });
  try {
    await other.connect();
    await other.query("begin");
    const opening = openDatabase(`${pooler.url}?connect_timeout=1`, place.folder);
    await until("a report", () => log.mock.callCount() > 0);
    await other.query("commit");
    await (await opening).close();
    assert.match(
      String(log.mock.calls[0]!.arguments[0]),
      /^Waiting for a free database connection\. The server or its pooler is busy: .+\.\n$/,
    );
  } finally {
    await other.end();
    await remove();
  }
});

test("uses at most DATABASE_CONNECTIONS connections", () => {
  for (let total = 3; total < 60; total++)
    for (let processes = 1; 3 * processes <= total; processes++) {
      const { limits, threads } = shareConnections({ total, processes, threads: 4 });
      const { batches, queries, edits } = limits;
      assert.ok(Math.min(batches, queries, edits) > 0);
      assert.ok(processes * (batches + queries + edits + 2 * threads) <= total, `${total} for ${processes}`);
    }
});

/** Creates a database and a role that may open `connections`. Role limits don't apply to superusers. */
async function openLimited(connections: number) {
  const { place, remove } = await openFresh("PostgreSQL");
  const role = `roomrack_few_${process.pid}`;
  const client = new Client({ connectionString: place.url });
  await client.connect();
  await client.query(`create role ${role} login password 'few' connection limit ${connections}`);
  for (const what of ["all tables", "all sequences"]) await client.query(`grant all on ${what} in schema public to ${role}`);
  return {
    url: Object.assign(new URL(place.url!), { username: role, password: "few" }).href,
    folder: place.folder,
    async [Symbol.asyncDispose]() {
      await client.query(`drop owned by ${role}`);
      await client.query(`drop role ${role}`);
      await client.end();
      await remove();
    },
  };
}
