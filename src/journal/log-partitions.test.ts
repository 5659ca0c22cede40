import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { eachEngine, openFresh } from "../../test/support/databases.ts";
import { addHotels, countOf, MARCH, openHotels, RECEIVED_AT, sampleWork } from "../../test/support/work.ts";
import { DAY_MS } from "../calendar/night.ts";
import { spanOf } from "../calendar/page.ts";
import type { Database } from "../db/database.ts";
import { openDatabase } from "../db/open.ts";
import { nightHistory } from "./history.ts";
import { findBodies, findMessage, findOrigins, listMessages } from "./messages.ts";
import { findHistoryStart, readNights } from "./nights.ts";
import { pruneJournal } from "./prune.ts";
import { receiveMessage } from "./receive.ts";

const KEEP = { keepLogDays: 90, keepNightsDays: 400 };
/** More IDs than a partition contains. */
const MANY_IDS = 300_000;

eachEngine("a message log with several partitions", (open) => {
  test("lists messages from all partitions and deletes expired ones", async () => {
    const database = await openHotels(open);
    const ids: number[] = [];
    for (const day of [0, 20, 40, 60]) {
      ids.push(await receiveOn(database, day));
      await pruneOn(database, day);
      await database.reserve(MANY_IDS);
    }
    assert.deepEqual(await listed(database), ids.toReversed());
    const night = { property: "H1", kind: "inventory", category: "DBL", lane: "", night: MARCH } as const;
    assert.deepEqual(
      (await nightHistory(database, night)).map(({ message }) => message),
      ids.toReversed(),
    );
    await pruneOn(database, 131);
    assert.deepEqual(await listed(database), [ids[3]]);
    assert.ok((await findBodies(database, ids[3]!))?.bodies);
    assert.equal(await findMessage(database, ids[0]!), undefined);
    assert.deepEqual([...(await findOrigins(database, ids)).keys()].toSorted(), ids);
    assert.deepEqual(
      (await nightHistory(database, night)).map(({ message }) => message),
      [ids[3]],
    );
    await pruneOn(database, 500);
    assert.equal((await findOrigins(database, ids)).size, 0);
  });

  test("keeps storing messages while partitions are added and dropped", async () => {
    const database = await openHotels(open);
    await receiveOn(database, 0);
    await pruneOn(database, 0);
    await database.reserve(MANY_IDS);
    let isPruning = true;
    const sent: number[] = [];
    const sender = (async () => {
      while (isPruning) sent.push(await receiveOn(database, 200));
    })();
    for (let turn = 0; turn < 4; turn++) {
      await receiveOn(database, 200);
      await pruneOn(database, 200);
      await database.reserve(MANY_IDS);
    }
    isPruning = false;
    await sender;
    assert.ok(sent.length > 0);
    const [oldest] = await database.logPartitions.list();
    assert.ok(oldest === undefined || oldest.from > 0, "the first partition was dropped");
    for (const id of sent) assert.ok((await findMessage(database, id))?.bodies, String(id));
  });
});

test("drops a PostgreSQL partition's tables once all its messages have expired", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  await addHotels(database);
  for (const day of [0, 5]) {
    await receiveOn(database, day);
    await pruneOn(database, day);
  }
  await database.reserve(MANY_IDS);
  const last = await receiveOn(database, 60);
  const first = ["message_0", "message_body_0", "night_undo_0"];
  await pruneOn(database, 91.5);
  assert.deepEqual(new Set(first).difference(await listTables(database)), new Set());
  assert.equal((await listed(database)).length, 3, "messages wait for the deletion of their partition");
  await pruneOn(database, 95.5);
  assert.deepEqual(new Set(first).intersection(await listTables(database)), new Set());
  assert.deepEqual(await listed(database), [last]);
  await remove();
});

test("keeps nights in PostgreSQL at least as long as the undo records of their partition", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  await addHotels(database);
  let last = MARCH;
  while (spanOf(last + 1) === spanOf(last)) last++;
  const dayOfLast = last - Math.floor(RECEIVED_AT / DAY_MS);
  const receiveNight = (day: number, night: number) =>
    receiveMessage(database, sampleWork([countOf(day, { first: night, last: night })], { received: { at: RECEIVED_AT + day * DAY_MS } }));
  await receiveNight(dayOfLast - 30, last);
  await pruneJournal(database, { now: RECEIVED_AT, keepLogDays: 90, keepNightsDays: 90 });
  for (const day of [-1, 6]) await receiveNight(dayOfLast + day, last + 3);
  await database.reserve(MANY_IDS);
  await receiveNight(dayOfLast + 60, last + 100);
  const asOf = RECEIVED_AT + (dayOfLast - 0.5) * DAY_MS;
  for (const day of [91, 94, 97]) {
    await pruneJournal(database, { now: RECEIVED_AT + (dayOfLast + day) * DAY_MS, keepLogDays: 90, keepNightsDays: 90 });
    if (((await findHistoryStart(database)) ?? Infinity) > asOf) continue;
    const nights = await readNights(database, { property: "H1", kind: "inventory", first: last, last, asOf });
    assert.equal(nights.length, 1, `day ${day}`);
  }
  await remove();
});

test("keeps a full PostgreSQL partition if its messages are newer than the pruning time", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  await addHotels(database);
  await pruneOn(database, 0);
  for (let turn = 0; turn < 2; turn++) {
    await receiveOn(database, 300);
    await database.reserve(MANY_IDS);
  }
  await pruneOn(database, 100);
  assert.equal((await listed(database)).length, 2);
  await remove();
});

test("stores messages in PostgreSQL after the service was interrupted while adding a partition", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  await addHotels(database);
  await limitIds(database);
  await database.reserve(MANY_IDS);
  const id = await receiveOn(database, 0);
  await limitIds(database);
  await pruneOn(database, 0);
  assert.equal((await database.logPartitions.list()).length, 2);
  assert.deepEqual(await listed(database), [id]);
  await remove();
});

test("checks the rows of a PostgreSQL partition before locking the tables", async (t) => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const notices: string[] = [];
  t.mock.method(Client.prototype as unknown as { _handleNotice: (notice: Error) => void }, "_handleNotice", ({ message }: Error) =>
    notices.push(message),
  );
  await database.logPartitions.add(100_000);
  const url = new URL(place.url!);
  url.searchParams.set("options", "-c client_min_messages=debug1");
  const watched = await openDatabase(url.href, place.folder);
  await watched.logPartitions.add(100_000);
  await watched.close();
  const partition = (await database.logPartitions.list())[1]!;
  assert.equal(notices.filter((notice) => notice === `verifying table "message_${partition.from}"`).length, 1, notices.join("\n"));
  await remove();
});

test("adds only one PostgreSQL partition if two processes prune at the same time", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const other = await openDatabase(place.url, place.folder);
  await addHotels(database);
  await receiveOn(database, 0);
  await Promise.all([pruneOn(database, 0), pruneOn(other, 0)]);
  const partitions = await database.logPartitions.list();
  assert.deepEqual(
    partitions.map(({ from }) => from),
    [0, ...partitions.slice(0, -1).map(({ before }) => before)],
  );
  assert.ok(partitions.length > 1);
  await other.close();
  await remove();
});

test("deletes individual messages in PostgreSQL if the user doesn't own the tables", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  await addHotels(database);
  await receiveOn(database, 0);
  const role = `roomrack_test_${randomUUID().replaceAll("-", "")}`;
  await sql.raw(`create role ${role} login password 'few'`).execute(database.write);
  await sql
    .raw(`grant all on all tables in schema public to ${role}; grant all on all sequences in schema public to ${role}`)
    .execute(database.write);
  const limited = await openDatabase(Object.assign(new URL(place.url!), { username: role, password: "few" }).href, place.folder);
  await pruneOn(limited, 500);
  await limited.close();
  assert.deepEqual(await listed(database), []);
  await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(database.write);
  await remove();
});

test("deletes the messages of an expired PostgreSQL partition even if the partition can't be dropped", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  await addHotels(database);
  await receiveOn(database, 0);
  await pruneOn(database, 0);
  await database.reserve(MANY_IDS);
  const last = await receiveOn(database, 60);
  await sql`create view report as select id from message_0`.execute(database.write);
  await assert.rejects(pruneOn(database, 100), /other objects depend on it/);
  assert.deepEqual(await listed(database), [last]);
  await remove();
});

/** The state after an interruption: the constraint is still there. */
async function limitIds({ write, logPartitions }: Database): Promise<void> {
  const { from } = (await logPartitions.list()).at(-1)!;
  await sql.raw(`alter table message_${from} add constraint log_partition_ids check (id < ${MANY_IDS}) not valid`).execute(write);
}

async function receiveOn(database: Database, day: number): Promise<number> {
  return (await receiveMessage(database, sampleWork([countOf(day)], { received: { at: RECEIVED_AT + day * DAY_MS } }))).id;
}

function pruneOn(database: Database, day: number): Promise<void> {
  return pruneJournal(database, { now: RECEIVED_AT + day * DAY_MS, ...KEEP });
}

async function listed(database: Database): Promise<number[]> {
  return (await listMessages(database, {})).messages.map(({ id }) => id);
}

async function listTables({ read }: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class where relkind = 'r'`.execute(read);
  return new Set(rows.map(({ name }) => name));
}
