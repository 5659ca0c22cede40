import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startApp } from "../../../test/support/app.ts";
import { connectThrough } from "../../../test/support/connection-proxy.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, postXml, TODAY } from "../../../test/support/hotel.ts";
import { startPostgres } from "../../../test/support/postgres-server.ts";
import { until } from "../../../test/support/until.ts";
import { MAX_PROCESSING_MS } from "../../modules/channel/limits.ts";
import type { Row } from "../database.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

const MESSAGE = countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] });

/** Closes all other connections to the database. */
const CLOSE_OTHER_CONNECTIONS =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

test("returns 503 when the server closes its connections, then recovers", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const other = new Client({ connectionString: place.url });
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    await other.connect();
    await other.query("begin");
    await other.query("lock table property");
    const asked = Promise.all([postXml(service, MESSAGE), service.inject("/property/ALP")]);
    while ((await countWaiting(other)) < 2) await sleep(10);
    await other.query(CLOSE_OTHER_CONNECTIONS);
    await other.query("rollback");
    assert.deepEqual(
      (await asked).map(({ statusCode }) => statusCode),
      [503, 503],
    );
    await postMessage(service, MESSAGE);
    assert.equal((await service.inject("/property/ALP")).statusCode, 200);
    assert.match((await service.inject("/tools/errors")).body, />DatabaseError<[\s\S]*terminating connection due to administrator command/);
  } finally {
    await other.end();
    await service.close();
    await remove();
  }
});

test("returns 503 with Retry-After while the database accepts no connections", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const server = Object.assign(new URL(place.url!), { pathname: "/postgres" });
  const adminClient = new Client({ connectionString: server.href });
  const service = await startApp({ database });
  const name = new URL(place.url!).pathname.slice(1);
  try {
    await makeHotel(service);
    await adminClient.connect();
    await adminClient.query(`alter database ${name} allow_connections false`);
    await adminClient.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    const [refused, page] = [await postXml(service, MESSAGE), await service.inject("/property/ALP")];
    assert.deepEqual([refused.statusCode, page.statusCode], [503, 503]);
    await adminClient.query(`alter database ${name} allow_connections true`);
    await postMessage(service, MESSAGE);
  } finally {
    await adminClient.end();
    await service.close();
    await remove();
  }
});

test("returns 503 with Retry-After after the database password is changed", async () => {
  const { place, remove } = await openFresh("PostgreSQL");
  const [adminClient, role] = [new Client({ connectionString: place.url }), `roomrack_test_${process.pid}`];
  await adminClient.connect();
  await adminClient.query(`create role ${role} login superuser password 'first'`);
  const database = await openDatabase(Object.assign(new URL(place.url!), { username: role, password: "first" }).href, place.folder);
  const service = await startApp({ database });
  const ask = async () => [await postXml(service, MESSAGE), await service.inject("/property/ALP")].map(({ statusCode }) => statusCode);
  try {
    await makeHotel(service);
    await adminClient.query(`alter role ${role} password 'second'`);
    await adminClient.query(CLOSE_OTHER_CONNECTIONS);
    for (const connections of ["lost", "new"]) assert.deepEqual(await ask(), [503, 503], `connections are ${connections}`);
    await adminClient.query(`alter role ${role} password 'first'`);
    assert.deepEqual(await ask(), [200, 200]);
  } finally {
    await service.close();
    await database.close();
    await adminClient.query(`drop role ${role}`);
    await adminClient.end();
    await remove();
  }
});

test("gives up on a silent server within the timeout and recovers when it responds", async () => {
  const { place, remove } = await openFresh("PostgreSQL");
  const proxy = await connectThrough(place.url!);
  const database = await openDatabase(`${proxy.url}?connect_timeout=2`, place.folder);
  const service = await startApp({ database });
  const change = (count: number) => countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, count]] });
  const ask = () => Promise.all([postXml(service, change(1)), postXml(service, change(2)), service.inject("/property/ALP")]);
  const otherClient = new Client({ connectionString: place.url });
  try {
    await otherClient.connect();
    await makeHotel(service);
    await postMessage(service, change(7));
    proxy.silence();
    for (const { statusCode, headers, body } of await ask()) {
      assert.equal(statusCode, 503);
      assert.ok(Number(headers["retry-after"]) > 0);
      assert.doesNotMatch(body, /<Success/);
    }
    assert.ok(proxy.unanswered() <= 4, `${proxy.unanswered()} connections were tried, 2 seconds each`);
    proxy.speak();
    await postMessage(service, change(5));
    assert.equal((await service.inject("/property/ALP")).statusCode, 200);
    const { rows } = await otherClient.query<{ outcome: string }>("select outcome from message order by id");
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ["ok", "ok"],
    );
    await until("the error", async () => (await service.inject("/tools/errors?status=503")).body.includes("sent nothing for 2 seconds"));
  } finally {
    await otherClient.end();
    await service.close();
    await database.close();
    proxy.close();
    await remove();
  }
});

test("waits for a message's lock despite a short statement timeout, but returns 503 for a page", async () => {
  const { place, remove } = await openFresh("PostgreSQL");
  const other = new Client({ connectionString: place.url });
  await other.connect();
  const name = new URL(place.url!).pathname.slice(1);
  for (const [limit, time] of Object.entries({ lock_timeout: "2s", statement_timeout: "1s" }))
    await other.query(`alter database ${name} set ${limit} = '${time}'`);
  const database = await openDatabase(place.url, place.folder);
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    await other.query("begin");
    await other.query("lock table property");
    const [asked, page] = [postXml(service, MESSAGE), service.inject("/property/ALP")];
    while ((await countWaiting(other)) < 2) await sleep(10);
    assert.equal((await page).statusCode, 503);
    // The message started to wait at about the same time as the page, so it exceeds the limit within another second.
    await sleep(1_000);
    await other.query("rollback");
    assert.match((await asked).body, /<Success/);
  } finally {
    await other.end();
    await service.close();
    await database.close();
    await remove();
  }
});

test("returns 503 with Retry-After when the server's transaction or idle session timeout expires", async () => {
  const { database: direct, place, remove } = await openFresh("PostgreSQL");
  await direct.close();
  const other = new Client({ connectionString: place.url });
  await other.connect();
  const name = new URL(place.url!).pathname.slice(1);
  const proxy = await connectThrough(place.url!);
  const limits = ["transaction_timeout", "idle_session_timeout"];
  const { rows: known } = await other.query<{ name: string }>("select name from pg_settings where name = any($1)", [limits]);
  for (const limit of known) await other.query(`alter database ${name} set ${limit.name} = '2s'`);
  const database = await openDatabase(proxy.url, place.folder);
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    await Promise.all([postMessage(service, MESSAGE), service.inject("/property/ALP")]);
    const release = proxy.hold();
    const lateRequests = [postXml(service, MESSAGE), service.inject("/property/ALP")];
    const answers = await Promise.all(lateRequests);
    release();
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [503, 503],
    );
    await other.query("begin");
    await other.query("lock table property");
    const blockedMessage = postXml(service, MESSAGE);
    while ((await countWaiting(other)) < 1) await sleep(10);
    await sleep(1_000);
    await other.query("rollback");
    assert.equal((await blockedMessage).statusCode, 200, "an attempt to get a lock doesn't take that long");
  } finally {
    await other.end();
    await service.close();
    await database.close();
    proxy.close();
    await remove();
  }
});

test("retries a message after a deadlock", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const other = new Client({ connectionString: place.url });
  await other.connect();
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    await other.query("set deadlock_timeout = '20s'");
    await other.query("begin; lock table message in exclusive mode");
    const asked = postXml(service, MESSAGE);
    await sleep(500);
    while ((await countWaiting(other)) < 1) await sleep(10);
    await other.query("lock table property");
    await other.query("rollback");
    assert.match((await asked).body, /<Success/);
    assert.equal((await service.inject("/tools/errors?format=json")).json<{ errors: unknown[] }>().errors.length, 0);
  } finally {
    await other.end();
    await service.close();
    await remove();
  }
});

test("returns 503 with Retry-After if the pooler has lost the server or the server has become a standby", async () => {
  const { place, remove } = await openFresh("PostgreSQL");
  const proxy = await connectThrough(place.url!);
  const database = await openDatabase(proxy.url, place.folder);
  const service = await startApp({ database });
  const adminClient = new Client({ connectionString: place.url });
  try {
    await makeHotel(service);
    proxy.loseServer();
    const [lost, page] = [await postXml(service, MESSAGE), await service.inject("/property/ALP")];
    assert.deepEqual([lost.statusCode, page.statusCode], [503, 503]);
    await adminClient.connect();
    await adminClient.query(`alter database ${new URL(place.url!).pathname.slice(1)} set default_transaction_read_only = on`);
    proxy.speak();
    const standby = await postXml(service, MESSAGE);
    assert.deepEqual([standby.statusCode, Number(standby.headers["retry-after"]) > 0], [503, true]);
    await adminClient.query(`alter database ${new URL(place.url!).pathname.slice(1)} reset default_transaction_read_only`);
    await postMessage(service, MESSAGE);
  } finally {
    await adminClient.end();
    await service.close();
    await database.close();
    proxy.close();
    await remove();
  }
});

test("doesn't use a server that has become a standby, and recovers when that server is the primary again", async () => {
  const server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), "roomrack-test-"));
  const database = await openDatabase(server.url, folder);
  await migrate(database);
  const service = await startApp({ database });
  const ask = async () => [await postXml(service, MESSAGE), await service.inject("/property/ALP")].map(({ statusCode }) => statusCode);
  try {
    await makeHotel(service);
    server.restartAs("standby");
    for (const connections of ["lost", "new"]) assert.deepEqual(await ask(), [503, 503], `connections are ${connections}`);
    await assert.rejects(openDatabase(server.url, folder), { name: "UnreachableServerError", message: /is a standby/ });
    server.restartAs("leader");
    assert.deepEqual(await ask(), [200, 200]);
  } finally {
    await service.close();
    await database.close();
    server.stop();
    rmSync(folder, { recursive: true });
  }
});

test("returns 503 with Retry-After when a server reached through a socket stops", async () => {
  const { place, remove } = await openFresh("PostgreSQL");
  const { hostname, port, username, password, pathname } = new URL(place.url!);
  const forward = (client: Socket) => {
    const server = connect(Number(port), hostname);
    pipeline(client, server, () => {});
    pipeline(server, client, () => {});
  };
  const socket = createServer(forward).listen(join(place.folder, ".s.PGSQL.5432"));
  await once(socket, "listening");
  const url = `postgres://${username}:${password}@${pathname}?host=${place.folder}&connect_timeout=-1`;
  const database = await openDatabase(url, place.folder);
  const service = await startApp({ database });
  const adminClient = new Client({ connectionString: place.url });
  try {
    await makeHotel(service);
    socket.close();
    await adminClient.connect();
    await adminClient.query(CLOSE_OTHER_CONNECTIONS);
    for (const connections of ["lost", "new"]) {
      const [message, page] = [await postXml(service, MESSAGE), await service.inject("/property/ALP")];
      assert.deepEqual([message.statusCode, page.statusCode], [503, 503], `connections are ${connections}`);
    }
  } finally {
    await adminClient.end();
    await service.close();
    await database.close();
    await remove();
  }
});

test("a process that hangs between lock and commit blocks other processes for only a few seconds", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const proxy = await connectThrough(place.url!);
  const other = await openDatabase(`${proxy.url}?connect_timeout=2`, place.folder);
  const batch = { lock: "hotel", read: [], decide: () => ({ write: [], result: "done" }) };
  try {
    await other.commit(batch);
    const stuck = other.commit({
      ...batch,
      decide() {
        proxy.silence();
        return { write: [], result: "never" };
      },
    });
    await assert.rejects(stuck, /sent nothing for 2 seconds/);
    assert.equal(await database.commit(batch), "done");
  } finally {
    await other.close();
    proxy.close();
    await remove();
  }
});

test("lets a transaction stay idle for as long as a message may take to process", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  const limit = "select extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval)::float as seconds";
  try {
    const decide = ([rows]: readonly Row[][]) => ({ write: [], result: Number(rows![0]!.seconds) });
    const seconds = await database.commit({ lock: "hotel", read: [{ sql: limit, values: [] }], decide });
    assert.ok(seconds * 1_000 >= MAX_PROCESSING_MS, `${seconds} s`);
  } finally {
    await remove();
  }
});

/** Counts connections that wait for a table lock. */
async function countWaiting(client: Client): Promise<number> {
  const waiting = "select pid from pg_locks join pg_database d on d.oid = database where datname = current_database() and not granted";
  return (await client.query(waiting)).rows.length;
}
