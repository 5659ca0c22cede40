import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { connectThrough } from "../../../test/support/connection-proxy.ts";
import { openFresh } from "../../../test/support/databases.ts";
import { addHotels, RECEIVED_AT, sampleWork } from "../../../test/support/work.ts";
import { receiveMessage } from "../../journal/receive.ts";
import type { PropertyRecords } from "../../journal/work.ts";
import { findCategory, updateCategory } from "../../records/category/store.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open.ts";

const KEY = { hotelCode: "H1", code: "DBL" };

test("doesn't lose a category edit made while a message for the category is being processed, at any default isolation level", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const name = new URL(place.url!).pathname.slice(1);
  await sql`alter database ${sql.id(name)} set default_transaction_isolation to 'repeatable read'`.execute(database.write);
  const pages = await openDatabase(place.url, place.folder);
  const proxy = await connectThrough(place.url!);
  const channel = await openDatabase(proxy.url, place.folder);
  try {
    await addHotels(database);
    const { version, ...fields } = (await findCategory(pages, "H1", "DBL"))!;
    let release: (() => void) | undefined;
    const { decide, ...work } = sampleWork([]);
    const received = receiveMessage(channel, {
      ...work,
      decide(directory: PropertyRecords, id: number) {
        release = proxy.hold();
        const category = directory.categories.get("DBL")!;
        return { ...decide(directory, id), categories: [{ ...category, description: "Described", version: category.version + 1 }] };
      },
    });
    while (!release) await sleep(5);
    let isEdited = false;
    const edit = { key: KEY, version, fields: { ...fields, name: "Renamed" } };
    const edited = updateCategory(pages, edit, { actor: "anna", at: RECEIVED_AT }).finally(() => (isEdited = true));
    while (!isEdited && !(await isAnyoneWaiting(database))) await sleep(5);
    release();
    await received;
    const outcome = (await edited)!.outcome;
    assert.deepEqual([outcome, (await findCategory(pages, "H1", "DBL"))!.description], ["conflict", "Described"]);
  } finally {
    await Promise.all([pages.close(), channel.close()]);
    proxy.close();
    await remove();
  }
});

for (const code of ["40001", "40P01"]) {
  test(`retries an edit and a batch that PostgreSQL aborted with error ${code}`, async () => {
    const { database, remove } = await openFresh("PostgreSQL");
    try {
      await sql`create sequence tries`.execute(database.write);
      // A sequence keeps its value when the transaction is rolled back.
      await sql`create function fail_first() returns bigint language plpgsql as ${sql.raw(`$$ declare try bigint := nextval('tries'); begin
        if try % 2 = 1 then raise exception 'conflict' using errcode = '${code}'; end if; return try; end $$`)}`.execute(database.write);
      const edited = await database.edit("H1", (db) => sql<{ try: number }>`select fail_first() as try`.execute(db));
      assert.equal(edited.rows[0]!.try, 2);
      const read = [{ sql: "select fail_first() as try", values: [] }];
      const tried = await database.commit({ lock: "H1", read, decide: ([rows]) => ({ write: [], result: rows![0]!["try"] }) });
      assert.equal(tried, 4);
    } finally {
      await remove();
    }
  });
}

test("reports why the server closed the connection during an edit", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  try {
    const edited = database.edit("H1", async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      const asked = sql`select pg_sleep(60)`.execute(db);
      await Promise.all([asked, sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(database.read)]);
    });
    await assert.rejects(edited, { code: "57P01" });
  } finally {
    await remove();
  }
});

test("serves pages while many edits wait for a locked property", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const other = await openDatabase(place.url, place.folder);
  const { promise: end, resolve: release } = Promise.withResolvers<void>();
  try {
    await addHotels(database);
    const { promise: held, resolve: heldLock } = Promise.withResolvers<void>();
    const heldEdit = other.edit("H1", () => {
      heldLock();
      return end;
    });
    await held;
    let edited = 0;
    const edit = () => database.edit("H1", async () => void edited++);
    const edits = Array.from({ length: 2 * availableParallelism() }, edit);
    assert.ok(await findCategory(database, "H1", "DBL"));
    assert.equal(edited, 0);
    release();
    await Promise.all([...edits, heldEdit]);
  } finally {
    release();
    await other.close();
    await remove();
  }
});

async function isAnyoneWaiting({ read }: Database): Promise<boolean> {
  const waiting = sql`select 1 from pg_locks join pg_database d on d.oid = database where datname = current_database() and not granted`;
  return (await waiting.execute(read)).rows.length > 0;
}
