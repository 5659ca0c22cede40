import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { amountOf, countOf, MARCH, RECEIVED_AT, sampleWork, openHotels } from "../../test/support/work.ts";
import { nightHistory } from "./history.ts";
import { findMessage } from "./messages.ts";
import { readNights } from "./nights.ts";
import { receiveMessage } from "./receive.ts";

const NIGHT = { property: "H1", kind: "inventory", category: "DBL", lane: "", night: MARCH } as const;

eachEngine("the history of a night", (open) => {
  test("lists every message that changed a night, newest first", async () => {
    const database = await openHotels(open);
    const first = await receiveMessage(database, sampleWork([countOf(3, { last: MARCH + 2 })]));
    await receiveMessage(database, sampleWork([countOf(3)], { received: { at: RECEIVED_AT + 10 } }));
    await receiveMessage(database, sampleWork([countOf(1, { first: MARCH + 1 })], { received: { at: RECEIVED_AT + 20 } }));
    await receiveMessage(database, sampleWork([countOf(1, { category: "SGL" })], { received: { at: RECEIVED_AT + 30 } }));
    const last = await receiveMessage(database, sampleWork([countOf(0)], { received: { at: RECEIVED_AT + 40, sender: undefined } }));
    const currencies = { from: undefined, to: undefined };
    assert.deepEqual(await nightHistory(database, NIGHT), [
      { message: last.id, at: RECEIVED_AT + 42, currencies, sender: undefined, changes: [{ column: "available", from: 3, to: 0 }] },
      {
        message: first.id,
        at: RECEIVED_AT + 2,
        currencies,
        sender: "pms",
        changes: [{ column: "available", from: undefined, to: 3 }],
      },
    ]);
    assert.deepEqual(await nightHistory(database, { ...NIGHT, night: MARCH + 200 }), []);
  });

  test("keeps the history of a night whose page was deleted", async () => {
    const database = await openHotels(open);
    await receiveMessage(database, sampleWork([amountOf(9_900, "BAR")]));
    await receiveMessage(
      database,
      sampleWork([{ type: "clear", kind: "rate", groups: ["amounts"], from: MARCH }], { received: { at: RECEIVED_AT + 10 } }),
    );
    const history = await nightHistory(database, { ...NIGHT, kind: "rate", lane: "BAR" });
    assert.deepEqual(
      history.map(({ changes }) => changes),
      [
        [
          { column: "currency", from: "EUR", to: undefined },
          { column: "amount:after:2:10:1", from: 9_900, to: undefined },
        ],
        [
          { column: "currency", from: undefined, to: "EUR" },
          { column: "amount:after:2:10:1", from: undefined, to: 9_900 },
        ],
      ],
    );
  });

  test("finds a change even if many later messages changed the same page", async () => {
    const database = await openHotels(open);
    const first = await receiveMessage(database, sampleWork([countOf(3)]));
    const works = Array.from({ length: 1_100 }, (_, i) =>
      sampleWork([countOf(i + 1, { first: MARCH + 1 })], { received: { at: RECEIVED_AT + i } }),
    );
    while (works.length > 0) await Promise.all(works.splice(0, 50).map((work) => receiveMessage(database, work)));
    assert.deepEqual(
      (await nightHistory(database, NIGHT)).map(({ message }) => message),
      [first.id],
    );
    assert.equal((await nightHistory(database, { ...NIGHT, night: MARCH + 1 })).length, 500);
    assert.deepEqual((await findMessage(database, first.id))?.changes, first.changes);
    const then = { property: "H1", kind: "inventory", first: MARCH, last: MARCH + 1, asOf: RECEIVED_AT - 1 } as const;
    assert.deepEqual(await readNights(database, then), []);
  });

  test("shows what a message changed even after others changed the same nights", async () => {
    const database = await openHotels(open);
    const all = [countOf(3, { last: MARCH + 150 }), countOf(4, { category: "SGL" }), { ...amountOf(9_900, "BAR"), last: MARCH + 3 }];
    const first = await receiveMessage(database, sampleWork(all));
    const second = await receiveMessage(database, sampleWork([countOf(1, { first: MARCH + 1 }), amountOf(100, "BAR")]));
    await receiveMessage(database, sampleWork([{ type: "clear", kind: "inventory", groups: ["counts"], from: MARCH + 50 }]));
    for (const { id, changes } of [first, second]) assert.deepEqual(sorted((await findMessage(database, id))!.changes), sorted(changes));
  });

  test("lists changes by lane and joins a run that spans two pages", async () => {
    const database = await openHotels(open);
    const counts = [
      countOf(3, { category: "SGL", first: MARCH + 401 }),
      countOf(3, { first: MARCH + 200, last: MARCH + 400 }),
      countOf(3, { last: MARCH + 199 }),
    ];
    const { id } = await receiveMessage(database, sampleWork(counts));
    const { changes } = (await findMessage(database, id))!;
    assert.deepEqual(
      changes.map(({ category, first, last }) => ({ category, first, last })),
      [
        { category: "DBL", first: MARCH, last: MARCH + 400 },
        { category: "SGL", first: MARCH + 401, last: MARCH + 401 },
      ],
    );
  });
});

function sorted(changes: readonly object[]): string[] {
  return changes.map((change) => JSON.stringify(Object.entries(change).toSorted())).toSorted();
}
