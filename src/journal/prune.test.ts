import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine, openFresh } from "../../test/support/databases.ts";
import { countOf, MARCH, NOON, sampleWork, openHotels } from "../../test/support/work.ts";
import type { Database, Row } from "../db/database.ts";
import { nightHistory } from "./history.ts";
import { findMessage } from "./messages.ts";
import { asOfReach, readNights } from "./nights.ts";
import { pruneJournal } from "./prune.ts";
import { receive } from "./receive.ts";

const DAY = 86_400_000;
const KEEP = { keepLogDays: 90, keepNightsDays: 400 };
/** The date of `NOON`. */
const JANUARY = MARCH - 45;

eachEngine("pruning the journal", (open) => {
  test("keeps what is younger than the log is kept", async () => {
    const database = await openHotels(open);
    const { id } = await receive(database, sampleWork([countOf(3)]));
    await pruneJournal(database, { now: NOON + 90 * DAY, ...KEEP });
    assert.ok((await findMessage(database, id))?.bodies);
    assert.equal((await nightHistory(database, { property: "H1", kind: "inventory", category: "DBL", lane: "", night: MARCH })).length, 1);
  });

  test("keeps the row of a message whose nights are kept, and drops the others", async () => {
    const database = await openHotels(open);
    const setter = await receive(database, sampleWork([countOf(3)]));
    const refused = await receive(database, sampleWork([], { verdict: { outcome: "refused" } }));
    const now = NOON + 91 * DAY;
    await pruneJournal(database, { now, ...KEEP });
    const slim = await findMessage(database, setter.id);
    assert.deepEqual([slim?.message.pruned, slim?.message.sender, slim?.bodies, slim?.notes], [1, "pms", undefined, undefined]);
    assert.equal(await findMessage(database, refused.id), undefined);
    assert.deepEqual(await database.read.selectFrom("message_body").select("message").execute(), []);
    await pruneJournal(database, { now: NOON + 500 * DAY, ...KEEP });
    assert.equal(await findMessage(database, setter.id), undefined);
  });

  test("never claims to know more of the past than it does", async () => {
    const database = await openHotels(open);
    for (let day = 0; day < 5; day++) await receive(database, sampleWork([countOf(day)], { received: { at: NOON + day * DAY } }));
    await pruneJournal(database, { now: NOON + 92.5 * DAY, ...KEEP });
    const reach = await asOfReach(database);
    assert.equal(reach, NOON + 3 * DAY + 2);
    const counts = { property: "H1", kind: "inventory", first: MARCH, last: MARCH } as const;
    const known = async (asOf: number) => (await readNights(database, { ...counts, asOf }))[0]?.columns.get("available")?.[0];
    assert.deepEqual([await known(reach), await known(NOON + 4 * DAY + 2)], [3, 4]);
    await pruneJournal(database, { now: NOON + 200 * DAY, ...KEEP });
    assert.equal(await asOfReach(database), undefined);
    assert.equal(await known(NOON + 300 * DAY), 4);
  });

  test("drops pages of nights that are all older than they are kept", async () => {
    const database = await openHotels(open);
    await receive(database, sampleWork([countOf(3, { first: JANUARY, last: JANUARY + 800 })]));
    await receive(database, sampleWork([countOf(3, { first: JANUARY })], { property: "H2" }));
    const spans = async () => (await database.read.selectFrom("inventory_page").select(["property", "span"]).execute()).length;
    const before = await spans();
    await pruneJournal(database, { now: NOON + 399 * DAY, ...KEEP });
    assert.equal(await spans(), before);
    await pruneJournal(database, { now: NOON + 900 * DAY, ...KEEP });
    const left = await readNights(database, { property: "H1", kind: "inventory", first: JANUARY + 600, last: JANUARY + 700 });
    assert.deepEqual(left[0]?.columns.get("available"), Array(101).fill(3));
    assert.ok((await spans()) < before - 1);
  });

  test("keeps nights as long as the log, from which their past is read", async () => {
    const database = await openHotels(open);
    await receive(database, sampleWork([countOf(3, { first: MARCH, last: MARCH + 3 })]));
    await receive(database, sampleWork([countOf(4, { first: MARCH + 1, last: MARCH + 1 })], { received: { at: NOON + DAY } }));
    await pruneJournal(database, { now: NOON + 999 * DAY, keepLogDays: 1_000, keepNightsDays: 30 });
    const then = await readNights(database, { property: "H1", kind: "inventory", first: MARCH, last: MARCH + 3, asOf: NOON + DAY - 1 });
    assert.deepEqual(then[0]?.columns.get("available"), [3, 3, 3, 3]);
  });

  test("goes through more than one step of each kind", async () => {
    const database = await openHotels(open);
    await receive(database, sampleWork([countOf(3)]));
    const { message, undo } = await oneOfEach(database);
    const many = Array.from({ length: 1_200 }, (_, i) => i);
    for (const part of [many.slice(0, 600), many.slice(600)]) {
      await database.write
        .insertInto("message")
        .values(part.map((i) => ({ ...message, id: 1_000 + i, last_night: i % 2 ? MARCH : null })))
        .execute();
      await database.write
        .insertInto("night_undo")
        .values(part.map((i) => ({ ...undo, message: 1_000 + i, at: NOON - i })))
        .execute();
    }
    await pruneJournal(database, { now: NOON + 91 * DAY, ...KEEP });
    const left = await database.read.selectFrom("message").select(["pruned", "last_night"]).execute();
    assert.equal(left.length, 601);
    assert.ok(left.every((row) => row.pruned === 1 && row.last_night === MARCH));
    assert.deepEqual(await database.read.selectFrom("night_undo").select("message").execute(), []);
  });
});

test("a step of pruning is as short however many messages are kept", async () => {
  const { database, remove } = await openFresh("SQLite");
  const plans: Row[] = [];
  const explaining: Database["commit"] = async (batch) => {
    const read = batch.read.map(({ sql, values }) => ({ sql: `explain query plan ${sql}`, values }));
    plans.push(...(await database.commit({ lock: undefined, read, decide: (rows) => ({ write: [], result: rows.flat() }) })));
    return database.commit(batch);
  };
  await pruneJournal({ ...database, commit: explaining }, { now: NOON, ...KEEP });
  assert.match(String(plans[0]?.detail), /^SEARCH message USING INDEX message_received /);
  assert.deepEqual(
    plans.filter(({ detail }) => String(detail).includes("ORDER BY")),
    [],
  );
  await remove();
});

async function oneOfEach(database: Database) {
  const message = await database.read.selectFrom("message").selectAll().executeTakeFirstOrThrow();
  const undo = await database.read.selectFrom("night_undo").selectAll().executeTakeFirstOrThrow();
  return { message, undo };
}
