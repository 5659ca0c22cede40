import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompiledQuery } from "kysely";
import { eachEngine, openFresh } from "../../test/support/databases.ts";
import { addHotels, countOf, MARCH, RECEIVED_AT, sampleWork, openHotels } from "../../test/support/work.ts";
import type { Database, SqlValue } from "../db/database.ts";
import { sequenceChanges } from "./feed/sequence.ts";
import { nightHistory } from "./history.ts";
import { findMessage, findOrigins } from "./messages.ts";
import { findHistoryStart, readNights } from "./nights.ts";
import { pruneJournal } from "./prune.ts";
import { receiveMessage } from "./receive.ts";
import { removeMessages } from "./removal.ts";

const DAY = 86_400_000;
const KEEP = { keepLogDays: 90, keepNightsDays: 400 };
const JANUARY = MARCH - 45;

eachEngine("pruning the journal", (open) => {
  test("keeps messages within the retention period", async () => {
    const database = await openHotels(open);
    const { id } = await receiveMessage(database, sampleWork([countOf(3)]));
    await pruneJournal(database, { now: RECEIVED_AT + 90 * DAY, ...KEEP });
    assert.ok((await findMessage(database, id))?.bodies);
    assert.equal((await nightHistory(database, { property: "H1", kind: "inventory", category: "DBL", lane: "", night: MARCH })).length, 1);
  });

  test("keeps a message's origin only if nights that it set are still stored", async () => {
    const database = await openHotels(open);
    const setter = await receiveMessage(database, sampleWork([countOf(3)]));
    const refused = await receiveMessage(database, sampleWork([], { verdict: { outcome: "refused" } }));
    const now = RECEIVED_AT + 91 * DAY;
    await pruneJournal(database, { now, ...KEEP });
    const ids = [setter.id, refused.id];
    assert.deepEqual(await findOrigins(database, ids), new Map([[setter.id, { at: RECEIVED_AT, sender: "pms" }]]));
    for (const id of ids) assert.equal(await findMessage(database, id), undefined);
    assert.deepEqual(await database.read.selectFrom("message_body").select("message").execute(), []);
    await pruneJournal(database, { now: RECEIVED_AT + 500 * DAY, ...KEEP });
    assert.deepEqual(await findOrigins(database, ids), new Map());
  });

  test("keeps a message's origin until its last night is deleted", async () => {
    const database = await openHotels(open);
    const { id } = await receiveMessage(database, sampleWork([countOf(3)]));
    const daysLater = async (days: number) => {
      await pruneJournal(database, { now: RECEIVED_AT + days * DAY, ...KEEP });
      return (await findOrigins(database, [id])).has(id);
    };
    const last = MARCH - JANUARY + KEEP.keepNightsDays;
    assert.deepEqual([await daysLater(last), await daysLater(last + 1)], [true, false]);
  });

  test("reports the time of the oldest remaining record as the start of the history", async () => {
    const database = await openHotels(open);
    for (let day = 0; day < 5; day++)
      await receiveMessage(database, sampleWork([countOf(day)], { received: { at: RECEIVED_AT + day * DAY } }));
    await pruneJournal(database, { now: RECEIVED_AT + 92.5 * DAY, ...KEEP });
    const reach = await findHistoryStart(database);
    assert.equal(reach, RECEIVED_AT + 3 * DAY + 2);
    const counts = { property: "H1", kind: "inventory", first: MARCH, last: MARCH } as const;
    const known = async (asOf: number) => (await readNights(database, { ...counts, asOf }))[0]?.columns.get("available")?.[0];
    assert.deepEqual([await known(reach), await known(RECEIVED_AT + 4 * DAY + 2)], [3, 4]);
    await pruneJournal(database, { now: RECEIVED_AT + 200 * DAY, ...KEEP });
    assert.equal(await findHistoryStart(database), undefined);
    assert.equal(await known(RECEIVED_AT + 300 * DAY), 4);
  });

  test("deletes a page once all its nights are too old", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([countOf(3, { first: JANUARY, last: JANUARY + 800 })]));
    await receiveMessage(database, sampleWork([countOf(3, { first: JANUARY })], { property: "H2" }));
    const spans = async () => (await database.read.selectFrom("inventory_page").select(["property", "span"]).execute()).length;
    const before = await spans();
    await pruneJournal(database, { now: RECEIVED_AT + 399 * DAY, ...KEEP });
    assert.equal(await spans(), before);
    await pruneJournal(database, { now: RECEIVED_AT + 900 * DAY, ...KEEP });
    const left = await readNights(database, { property: "H1", kind: "inventory", first: JANUARY + 600, last: JANUARY + 700 });
    assert.deepEqual(left[0]?.columns.get("available"), Array(101).fill(3));
    assert.ok((await spans()) < before - 1);
  });

  test("keeps nights at least as long as the log", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([countOf(3, { first: MARCH, last: MARCH + 3 })]));
    await receiveMessage(
      database,
      sampleWork([countOf(4, { first: MARCH + 1, last: MARCH + 1 })], { received: { at: RECEIVED_AT + DAY } }),
    );
    await pruneJournal(database, { now: RECEIVED_AT + 999 * DAY, keepLogDays: 1_000, keepNightsDays: 30 });
    const then = await readNights(database, {
      property: "H1",
      kind: "inventory",
      first: MARCH,
      last: MARCH + 3,
      asOf: RECEIVED_AT + DAY - 1,
    });
    assert.deepEqual(then[0]?.columns.get("available"), [3, 3, 3, 3]);
  });

  test("writes nothing if there is nothing to delete", async () => {
    const database = await openHotels(open);
    for (const last of [MARCH, MARCH + 400]) await receiveMessage(database, sampleWork([countOf(3, { first: JANUARY, last })]));
    let commits = 0;
    const commit: Database["commit"] = (batch) => {
      commits++;
      return database.commit(batch);
    };
    const prune = async (days: number) => {
      commits = 0;
      await pruneJournal({ ...database, commit }, { now: RECEIVED_AT + days * DAY, ...KEEP });
      return commits > 0;
    };
    assert.deepEqual([await prune(90), await prune(91), await prune(91.5)], [false, true, false]);
    assert.deepEqual([await prune(500), await prune(500.5)], [true, false]);
    const left = await database.read.selectFrom("past_message").select("last_night").execute();
    assert.deepEqual(
      left.map((row) => row.last_night),
      [MARCH + 400],
    );
    assert.deepEqual([await prune(1_500), await prune(1_501)], [true, false]);
    assert.deepEqual(await database.read.selectFrom("inventory_page").select("span").execute(), []);
  });

  test("keeps the origin of a message that an earlier version already pruned", async () => {
    const database = await openHotels(open);
    const { id } = await receiveMessage(database, sampleWork([countOf(3)]));
    await database.write.deleteFrom("message_body").execute();
    await database.write.updateTable("message").set({ pruned: 1, remote: null }).execute();
    await pruneJournal(database, { now: RECEIVED_AT + 91 * DAY, ...KEEP });
    assert.equal(await findMessage(database, id), undefined);
    assert.equal((await findOrigins(database, [id])).get(id)?.sender, "pms");
  });

  test("keeps the rows of emptied messages as long as their history", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([countOf(3)]));
    const clear = { type: "clear", kind: "inventory", groups: ["counts"], from: MARCH } as const;
    const { id } = await receiveMessage(database, sampleWork([clear], { received: { at: RECEIVED_AT + DAY } }));
    const removal = removeMessages(database, { property: "H1", before: RECEIVED_AT + 2 * DAY });
    for await (const { emptied } of removal) assert.equal(emptied, 2);
    const known = { property: "H1", kind: "inventory", first: MARCH, last: MARCH, asOf: RECEIVED_AT + DAY } as const;
    await pruneJournal(database, { now: RECEIVED_AT + 91 * DAY, ...KEEP });
    assert.deepEqual((await readNights(database, known))[0]?.columns.get("available"), [3]);
    await pruneJournal(database, { now: RECEIVED_AT + 92 * DAY, ...KEEP });
    assert.equal(await findMessage(database, id), undefined);
  });

  test("keeps a newer message even if an older message has a larger id", async () => {
    const database = await openHotels(open);
    const newer = await receiveMessage(database, sampleWork([countOf(3)], { received: { at: RECEIVED_AT + 2 } }));
    const waited = await receiveMessage(database, sampleWork([countOf(4)], { received: { at: RECEIVED_AT + 1 } }));
    await pruneJournal(database, { now: RECEIVED_AT + 1 + 90 * DAY, ...KEEP });
    for (const { id } of [newer, waited]) assert.ok((await findMessage(database, id))?.bodies, String(id));
    assert.equal((await nightHistory(database, { property: "H1", kind: "inventory", category: "DBL", lane: "", night: MARCH })).length, 2);
  });

  test("deletes expired records despite messages received while the clock was ahead", async () => {
    const database = await openHotels(open);
    const moments = [RECEIVED_AT, RECEIVED_AT + 3_650 * DAY, RECEIVED_AT + DAY, RECEIVED_AT + 60 * DAY];
    for (const [available, at] of moments.entries()) await receiveMessage(database, sampleWork([countOf(available)], { received: { at } }));
    await pruneJournal(database, { now: RECEIVED_AT + 92 * DAY, ...KEEP });
    assert.equal((await database.read.selectFrom("night_undo").select("message").execute()).length, 1);
    const bodies = await database.read.selectFrom("message_body").select("message").execute();
    assert.equal(bodies.length, 1);
  });

  test("deletes nothing after the clock was set back by years", async () => {
    const database = await openHotels(open);
    const ids: number[] = [];
    for (const day of [0, 1, 2, -9_000]) {
      const at = RECEIVED_AT + day * DAY;
      ids.push((await receiveMessage(database, sampleWork([countOf(day + 9_000)], { received: { at } }))).id);
    }
    await sequenceChanges(database);
    await pruneJournal(database, { now: RECEIVED_AT - 9_000 * DAY, ...KEEP });
    for (const id of ids) assert.ok((await findMessage(database, id))?.bodies, String(id));
    const night = { property: "H1", kind: "inventory", category: "DBL", lane: "", night: MARCH } as const;
    assert.equal((await nightHistory(database, night)).length, 4);
    assert.equal((await database.read.selectFrom("change").select("position").execute()).length, 4);
  });

  test("deletes more than one batch of each kind", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([countOf(3)]));
    const { message, body, undo } = await oneOfEach(database);
    const many = Array.from({ length: 1_200 }, (_, i) => i);
    for (const part of [many.slice(0, 600), many.slice(600)]) {
      await database.write
        .insertInto("message")
        .values(part.map((i) => ({ ...message, id: 1_000 + i, last_night: i % 2 ? MARCH : null })))
        .execute();
      await database.write
        .insertInto("message_body")
        .values(part.map((i) => ({ ...body, message: 1_000 + i })))
        .execute();
      await database.write
        .insertInto("night_undo")
        .values(part.map((i) => ({ ...undo, message: 1_000 + i, at: RECEIVED_AT - i })))
        .execute();
    }
    await pruneJournal(database, { now: RECEIVED_AT + 91 * DAY, ...KEEP });
    const left = await database.read.selectFrom("past_message").select("last_night").execute();
    assert.equal(left.length, 601);
    assert.ok(left.every((row) => row.last_night === MARCH));
    assert.deepEqual(await database.read.selectFrom("night_undo").select("message").execute(), []);
    await pruneJournal(database, { now: RECEIVED_AT + 500 * DAY, ...KEEP });
    assert.deepEqual(await database.read.selectFrom("message").select("id").execute(), []);
    assert.deepEqual(await database.read.selectFrom("past_message").select("message").execute(), []);
  });
});

test("runs every query of a pruning step with an index or a limited scan", async () => {
  const { database, remove } = await openFresh("SQLite");
  await addHotels(database);
  await receiveMessage(database, sampleWork([]));
  const asked: CompiledQuery[] = [];
  const executor = database.read.getExecutor();
  const read = database.read.withPlugin({
    transformQuery({ node, queryId }) {
      asked.push(executor.compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await pruneJournal({ ...database, read }, { now: RECEIVED_AT, ...KEEP });
  const questions = asked.map(({ sql, parameters }) => ({ sql: `explain query plan ${sql}`, values: parameters as SqlValue[] }));
  const plans = await database.commit({ lock: undefined, read: questions, decide: (rows) => ({ write: [], result: rows.flat() }) });
  const steps = plans.map(({ detail }) => String(detail).replace("COVERING ", ""));
  assert.deepEqual(
    [...new Set(steps)],
    [
      "SEARCH message USING INDEX message_received (received_at>?)",
      "SEARCH message USING INDEX message_received (received_at<?)",
      "SEARCH change USING INTEGER PRIMARY KEY (rowid>?)",
      "SEARCH night_undo USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
      "SEARCH message USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
      "SEARCH past_message USING INDEX past_message_night (last_night<?)",
      "SEARCH property USING INDEX sqlite_autoindex_property_1 (code>?)",
      "SEARCH inventory_page USING PRIMARY KEY (property=?)",
      "SEARCH rate_page USING PRIMARY KEY (property=?)",
      "SEARCH night_summary USING PRIMARY KEY (block>? AND block<?)",
    ],
  );
  await remove();
});

async function oneOfEach(database: Database) {
  const message = await database.read.selectFrom("message").selectAll().executeTakeFirstOrThrow();
  const undo = await database.read.selectFrom("night_undo").selectAll().executeTakeFirstOrThrow();
  const body = await database.read.selectFrom("message_body").selectAll().executeTakeFirstOrThrow();
  return { message, body, undo };
}
