import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { eachEngine, openFresh } from "../../test/support/databases.ts";
import { addHotels, countOf, MARCH, openHotels, RECEIVED_AT, sampleWork } from "../../test/support/work.ts";
import { DAY_MS } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import { nightHistory } from "./history.ts";
import { findBodies, findMessage, findOrigins, listMessages } from "./messages.ts";
import { pruneJournal } from "./prune.ts";
import { receiveMessage } from "./receive.ts";

const KEEP = { keepLogDays: 90, keepNightsDays: 400 };
/** More than the IDs of a part. */
const MANY_IDS = 300_000;

eachEngine("a message log with more than one part", (open) => {
  test("shows messages of all parts, and deletes those that expired", async () => {
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

  test("stores messages while parts are added and dropped", async () => {
    const database = await openHotels(open);
    let isPruning = true;
    const sent: number[] = [];
    const sender = (async () => {
      while (isPruning) sent.push(await receiveOn(database, 200));
    })();
    for (let day = 0; day < 200; day += 50) {
      await receiveOn(database, day);
      await database.reserve(MANY_IDS);
      await pruneOn(database, 200);
    }
    isPruning = false;
    await sender;
    assert.ok(sent.length > 0);
    for (const id of sent) assert.ok((await findMessage(database, id))?.bodies, String(id));
  });
});

test("PostgreSQL drops the tables of a part when all its messages have expired", async () => {
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
  assert.equal((await listed(database)).length, 3, "messages wait for the deletion of their part");
  await pruneOn(database, 95.5);
  assert.deepEqual(new Set(first).intersection(await listTables(database)), new Set());
  assert.deepEqual(await listed(database), [last]);
  await remove();
});

test("PostgreSQL keeps a full part whose messages are newer than the time of pruning", async () => {
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

test("PostgreSQL adds a part after an interruption", async () => {
  const { database, remove } = await openFresh("PostgreSQL");
  await addHotels(database);
  await receiveOn(database, 0);
  await sql`alter table message_0 add constraint part_ids check (id < 100) not valid`.execute(database.write);
  await pruneOn(database, 0);
  await database.reserve(MANY_IDS);
  await receiveOn(database, 1);
  assert.equal((await database.logParts.list()).length, 2);
  assert.equal((await listed(database)).length, 2);
  await remove();
});

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
