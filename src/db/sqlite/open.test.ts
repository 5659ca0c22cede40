import assert from "node:assert/strict";
import { closeSync, openSync, readdirSync, readlinkSync, renameSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { startApp } from "../../../test/support/app.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, postXml, TODAY } from "../../../test/support/hotel.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open.ts";

/** How long another process holds the lock, as it may for a backup or a large message. */
const HELD_MS = 300;

test("`select *` returns a column that another process added", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const other = new DatabaseSync(join(place.folder, "roomrack.sqlite"));
  try {
    other.exec("create table item (name text); insert into item values ('one')");
    const all = () => sql`select * from item`.execute(database.read);
    assert.deepEqual((await all()).rows, [{ name: "one" }]);
    other.exec("alter table item add column size integer; update item set size = 5");
    assert.deepEqual((await all()).rows, [{ name: "one", size: 5 }]);
  } finally {
    other.close();
    await database.close();
    await remove();
  }
});

test("makes pages, forms and messages wait while another process writes", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const other = new DatabaseSync(join(place.folder, "roomrack.sqlite"));
  const service = await startApp({ database });
  try {
    await makeHotel(service);
    other.exec("begin immediate");
    const asked = Promise.all([
      service.inject("/property/new"),
      service.inject("/property/ALP"),
      postXml(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] })),
    ]);
    await sleep(HELD_MS);
    other.exec("rollback");
    assert.deepEqual(
      (await asked).map(({ statusCode }) => statusCode),
      [200, 200, 200],
    );
  } finally {
    other.close();
    await service.close();
    await remove();
  }
});

test("waits to open the database while another process creates the file or reserves ids", async () => {
  const folder = await mkdtemp(join(tmpdir(), "roomrack-"));
  const other = new DatabaseSync(join(folder, "roomrack.sqlite"));
  const release = () => other.exec("commit");
  try {
    other.exec("begin exclusive");
    const opening = openDatabase(undefined, folder);
    await sleep(HELD_MS).then(release);
    await using database = { open: await opening, [Symbol.asyncDispose]: async () => database.open.close() };
    await migrate(database.open);
    other.exec("begin immediate");
    const taking = database.open.reserve(2);
    await sleep(HELD_MS).then(release);
    assert.equal(await taking, 1);
  } finally {
    other.close();
    await rm(folder, { recursive: true });
  }
});

test("refuses writes but allows reads while the file is missing from its folder, then recovers", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const file = join(place.folder, "roomrack.sqlite");
  const service = await startApp({ database });
  const post = () => postXml(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] }));
  try {
    await makeHotel(service);
    renameSync(file, `${file}.away`);
    const refused = await post();
    assert.equal(refused.statusCode, 503);
    assert.doesNotMatch(refused.body, /<Success/);
    for (const url of ["/property/ALP", "/tools/phpinfo"]) assert.equal((await service.inject(url)).statusCode, 200, url);
    renameSync(`${file}.away`, file);
    assert.match((await post()).body, /<Success/);
    assert.match((await service.inject("/tools/errors")).body, /is no longer the file that was opened/);
  } finally {
    await service.close();
    await remove();
  }
});

test("closes even if the disk is too full for the log", async (t) => {
  const { database, place, remove } = await openFresh("SQLite");
  const { prepare } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, "prepare", function (this: DatabaseSync, text: string) {
    if (text.includes("truncate")) throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
    return prepare.call(this, text);
  });
  try {
    await database.write.insertInto("secret").values({ name: "kept", value: "x", created_at: 1 }).execute();
    await database.close();
    using other = new DatabaseSync(join(place.folder, "roomrack.sqlite"));
    other.exec("pragma journal_mode = delete; begin exclusive");
    assert.deepEqual({ ...other.prepare("select name from secret").get() }, { name: "kept" });
  } finally {
    await remove();
  }
});

test("refuses statements outside transactions while the file is missing from its folder", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const file = join(place.folder, "roomrack.sqlite");
  const keep = (name: string) => database.write.insertInto("secret").values({ name, value: "x", created_at: 1 }).execute();
  try {
    renameSync(file, `${file}.away`);
    await assert.rejects(keep("lost"), /is no longer the file that was opened/);
    renameSync(`${file}.away`, file);
    await keep("kept");
  } finally {
    await remove();
  }
});

test("truncates a write-ahead log that grew during a long read", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const file = join(place.folder, "roomrack.sqlite");
  const other = new DatabaseSync(file);
  const value = "x".repeat(10_000_000);
  const keep = (name: string) => database.write.insertInto("secret").values({ name, value, created_at: 1 }).execute();
  try {
    other.exec("begin; select count(*) from secret");
    for (let i = 0; i < 8; i++) await keep(`while it reads ${i}`);
    assert.ok(statSync(`${file}-wal`).size > 80_000_000);
    other.exec("commit");
    for (let i = 0; i < 3; i++) await keep(`after it ${i}`);
    assert.ok(statSync(`${file}-wal`).size < 70_000_000);
  } finally {
    other.close();
    await remove();
  }
});

test("waits for a long migration in another process", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const other = new DatabaseSync(join(place.folder, "roomrack.sqlite"));
  try {
    other.exec("begin immediate");
    const altered = database.alter((db) => sql`create table lift (code text)`.execute(db));
    await sleep(6_000).then(() => other.exec("commit"));
    await altered;
  } finally {
    other.close();
    await remove();
  }
});

test("closes cleanly during a checkpoint", async () => {
  const { database, remove } = await openFresh("SQLite");
  const write = Array.from({ length: 10_000 }, (_, index) => ({ sql: "insert into counter values (?, ?)", values: [`${index}`, 1] }));
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
  const { promise, resolve } = Promise.withResolvers<void>();
  const heldEdit = database.edit("H1", () => promise);
  await sleep(HELD_MS);
  const closed = database.close();
  await sleep(HELD_MS);
  resolve();
  await heldEdit;
  await closed;
  await remove();
});

test("refuses writes after a failed sync until the database is reopened", async () => {
  if (process.platform !== "linux") return;
  const { database, place, remove } = await openFresh("SQLite");
  const log = join(place.folder, "roomrack.sqlite-wal");
  const commit = (duringCommit?: () => void): Promise<string> => {
    const decide = () => {
      duringCommit?.();
      return { write: [], result: "stored" };
    };
    return database.commit({ lock: undefined, read: [], decide });
  };
  const exchange = (descriptor: number, file: string) => {
    closeSync(descriptor);
    assert.equal(openSync(file, "r+"), descriptor);
  };
  try {
    await commit();
    const descriptors = readdirSync("/proc/self/fd").map(Number);
    const synced = Math.max(...descriptors.filter((descriptor) => isLink(descriptor, log)));
    exchange(synced, "/dev/null");
    const { promise: secondRequest, resolve: sendSecond } = Promise.withResolvers<string>();
    const first = commit(() => sendSecond(commit()));
    await assert.rejects(
      first.finally(() => exchange(synced, log)),
      { code: "EINVAL" },
    );
    await assert.rejects(secondRequest, /could not be synced to disk/, "committed after the failed sync");
    await assert.rejects(commit(), /could not be synced to disk/);
    await assert.rejects(
      database.edit("H1", async () => {}),
      /could not be synced to disk/,
    );
    await database.close();
    const reopened = await openDatabase(undefined, place.folder);
    await reopened.commit({ lock: undefined, read: [], decide: () => ({ write: [], result: "stored" }) });
    await reopened.close();
  } finally {
    await remove();
  }
});

function isLink(descriptor: number, file: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
  } catch {
    return false;
  }
}

test("includes the write-ahead log in the database size", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const { location, bytes } = await service.database.describe();
  assert.ok(statSync(location).size < bytes, `${bytes}`);
});
