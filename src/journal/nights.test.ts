import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { eachEngine } from "../../test/support/databases.ts";
import { FIRST, operations } from "../../test/support/operations.ts";
import { amountOf, countOf, MARCH, RECEIVED_AT, sampleWork, openHotels } from "../../test/support/work.ts";
import type { Attribute, PageKind } from "../calendar/attributes.ts";
import type { Database } from "../db/database.ts";
import { findHistoryStart, readNights } from "./nights.ts";
import { receiveMessage } from "./receive.ts";
import { packUndos, unpackUndos } from "./undo-store.ts";

const SECOND = 1_000;
const COUNTS = { property: "H1", kind: "inventory", first: MARCH, last: MARCH + 1 } as const;

eachEngine("readNights", (open) => {
  test("returns the values that were known at the time in `asOf`", async () => {
    const database = await openHotels(open);
    const messages = fc.sample(fc.array(operations, { minLength: 1, maxLength: 3 }), { numRuns: 25, seed: 7 });
    const states: unknown[] = [await everything(database)];
    for (const [index, message] of messages.entries()) {
      await receiveMessage(database, sampleWork(message, { pages: ALL_PAGES, received: { at: RECEIVED_AT + index * SECOND } }));
      states.push(await everything(database));
    }
    for (const [index, state] of states.entries()) {
      assert.deepEqual(await everything(database, RECEIVED_AT + (index - 1) * SECOND + 500), state, `after message ${index}`);
    }
  });

  test("compares `asOf` with the time a message was decided, not received", async () => {
    const database = await openHotels(open);
    const slow = { at: RECEIVED_AT, elapsed: () => 5_000 };
    const later = { at: RECEIVED_AT + 100, elapsed: () => 1 };
    await receiveMessage(database, sampleWork([countOf(1)], { received: slow }));
    await receiveMessage(database, sampleWork([countOf(2)], { received: later }));
    const availableAt = async (asOf: number) => (await readNights(database, { ...COUNTS, asOf }))[0]?.columns.get("available")?.[0];
    assert.equal(await availableAt(RECEIVED_AT + 4_999), undefined);
    assert.equal(await availableAt(RECEIVED_AT + 5_000), 2);
  });

  test("returns correct values for `asOf` after a clock that was years ahead has been corrected", async () => {
    const database = await openHotels(open);
    const moments = [RECEIVED_AT, RECEIVED_AT + 1e11, RECEIVED_AT + 2 * SECOND, RECEIVED_AT + 4 * SECOND];
    for (const [index, at] of moments.entries()) await receiveMessage(database, sampleWork([countOf(index)], { received: { at } }));
    const availableAt = async (asOf: number) => (await readNights(database, { ...COUNTS, asOf }))[0]?.columns.get("available")?.[0];
    const asked = [1, 3, 5].map((seconds) => availableAt(RECEIVED_AT + seconds * SECOND));
    assert.deepEqual(await Promise.all(asked), [0, 2, 3]);
  });

  test("reads large undo records one at a time", async () => {
    const database = await openHotels(open);
    for (let index = 0; index < 10; index++) {
      await receiveMessage(database, sampleWork([countOf(index)], { received: { at: RECEIVED_AT + index * SECOND } }));
    }
    const rows = await database.read.selectFrom("night_undo").selectAll().orderBy("message").execute();
    const others = { kind: "rate", category: "SGL", lane: "BAR", span: 1, undo: new Uint8Array(3_000_000) } as const;
    for (const [index, { message, undo }] of rows.entries()) {
      if (index % 2 === 0) continue;
      const large = packUndos([others, ...unpackUndos(undo)]);
      await database.write.updateTable("night_undo").set({ undo: large }).where("message", "=", message).execute();
    }
    const counts: number[] = [];
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        counts.push(result.rows.filter(({ undo }) => undo instanceof Uint8Array && undo.length > 1_000_000).length);
        return result;
      },
    });
    const nights = await readNights({ ...database, read }, { ...COUNTS, asOf: RECEIVED_AT + 4.5 * SECOND });
    assert.deepEqual(nights[0]?.columns.get("available")?.[0], 4);
    assert.deepEqual(
      counts.filter((count) => count > 0),
      [1, 1, 1],
    );
  });

  test("reports the time of the first change as the start of the history", async () => {
    const database = await openHotels(open);
    assert.equal(await findHistoryStart(database), undefined);
    await receiveMessage(database, sampleWork([countOf(1)]));
    await receiveMessage(database, sampleWork([countOf(2)], { received: { at: RECEIVED_AT + 60_000 } }));
    assert.equal(await findHistoryStart(database), RECEIVED_AT + 2);
  });

  test("reads only the requested property, categories and lanes, sorted by code", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([countOf(1), countOf(2, { category: "SGL" }), { ...countOf(1), lane: "101" }]));
    await receiveMessage(database, sampleWork([amountOf(5_000, "BAR"), amountOf(6_000, "")]));
    await receiveMessage(database, sampleWork([countOf(9)], { property: "H2" }));
    const lanes = async (query: object) =>
      (await readNights(database, { ...COUNTS, ...query })).map(({ category, lane }) => `${category}/${lane}`);
    assert.deepEqual(await lanes({}), ["DBL/", "DBL/101", "SGL/"]);
    assert.deepEqual(await lanes({ categories: ["SGL", "XXX"] }), ["SGL/"]);
    assert.deepEqual(await lanes({ lanes: [""] }), ["DBL/", "SGL/"]);
    assert.deepEqual(await lanes({ categories: [] }), []);
    assert.deepEqual(await lanes({ kind: "rate" }), ["DBL/", "DBL/BAR"]);
    assert.deepEqual(await lanes({ kind: "rate", lanes: ["BAR"], asOf: RECEIVED_AT - 1 }), []);
    assert.deepEqual(await lanes({ first: MARCH + 1, last: MARCH + 2 }), []);
  });

  test("returns the text values that were known at the time in `asOf`", async () => {
    const database = await openHotels(open);
    const inCurrency = (currency: string) => ({ ...amountOf(100, "BAR"), values: new Map<Attribute, string>([["currency", currency]]) });
    await receiveMessage(database, sampleWork([inCurrency("EUR")]));
    await receiveMessage(database, sampleWork([inCurrency("CHF")], { received: { at: RECEIVED_AT + 60_000 } }));
    const [then] = await readNights(database, { ...COUNTS, kind: "rate", asOf: RECEIVED_AT + 1_000 });
    assert.deepEqual(then?.columns.get("currency"), ["EUR", undefined]);
  });
});

const REACH = { first: FIRST, last: FIRST + 840 };
const ALL_PAGES = [{ kind: "inventory", ...REACH } as const, { kind: "rate", ...REACH } as const];

/** Reads all values of both kinds. Leaves out setters, which are exact only where a value changed. */
async function everything(database: Database, asOf?: number): Promise<unknown> {
  const read = (kind: PageKind) => readNights(database, { property: "H1", kind, ...REACH, ...(asOf !== undefined && { asOf }) });
  const lanes = [...(await read("inventory")), ...(await read("rate"))];
  return lanes
    .filter(({ columns }) => columns.size > 0)
    .map(({ category, lane, columns }) => ({ category, lane, columns: [...columns].toSorted(([a], [b]) => (a < b ? -1 : 1)) }));
}
