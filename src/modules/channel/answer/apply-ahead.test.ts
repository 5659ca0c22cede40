import assert from "node:assert/strict";
import { test } from "node:test";
import { day, openChannel } from "../../../../test/support/channel.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { applyOperations } from "../../../calendar/apply.ts";
import { type Assign, EVERY_DAY, type Operation } from "../../../calendar/operation.ts";
import { atOnce, type Pieces } from "../../../pieces.ts";
import { MANY_LINES } from "../limits.ts";
import { applyAhead } from "./apply-ahead.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const FIRST = 20_000;

function counts(hotel: string, lines: readonly { night: string; count: number }[]): string {
  const all = lines.map(
    ({ night, count }) =>
      `<Inventory><StatusApplicationControl Start="${night}" End="${night}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`,
  );
  return `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${all.join("")}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

/** More lines than are decided at once, over and over the same 100 nights; the last of each says 7. */
const MANY = Array.from({ length: MANY_LINES + 100 }, (_, line) => ({ night: day(line % 100), count: line < MANY_LINES ? line % 5 : 7 }));

eachEngine("What a message of many lines sets", (open) => {
  test("is stored with its undo, as if it had been applied at once", async () => {
    const channel = openChannel(await open());
    const { code, night } = await channel.hotel();
    await channel.send(counts(code, [{ night: day(5), count: 7 }]));
    const { receipt } = await channel.send(counts(code, MANY));
    assert.equal(receipt!.changedNights, 99);
    assert.deepEqual(await night(day(99), {}), { available: 7 });
    const undos = channel.database.read.selectFrom("night_undo").select("at").where("message", "=", receipt!.id);
    assert.equal((await undos.execute()).length, 1);
  });

  test("leaves what another process stored meanwhile", async () => {
    const database = await open();
    const other = openChannel(database);
    const { code, night } = await other.hotel();
    let isFirst = true;
    const channel = openChannel({
      ...database,
      async commit(batch) {
        if (isFirst) await other.send(counts(code, [{ night: day(150), count: 3 }]));
        isFirst = false;
        return database.commit(batch);
      },
    });
    const { receipt } = await channel.send(counts(code, MANY));
    assert.equal(receipt!.changedNights, 100);
    assert.deepEqual(await night(day(150), {}), { available: 3 });
    assert.deepEqual(await night(day(50), {}), { available: 7 });
  });
});

test("operations are applied in pieces, and hold for the pages that they were applied to", () => {
  const lines = Array.from({ length: 1_000 }, (_, line): Assign => ({
    type: "assign",
    kind: "inventory",
    category: line % 2 ? "DBL" : "SGL",
    lane: "",
    first: FIRST + line,
    last: FIRST + line,
    days: EVERY_DAY,
    group: "counts",
    replace: false,
    values: new Map([["available", line % 9]]),
  }));
  const [before, after] = [lines.slice(0, 500), lines.slice(400)];
  const stored = applyOperations([], before, 1).pages.map((page) => ({ ...page, bytes: page.bytes! }));
  const work = applyAhead(stored, after);
  let pieces = 0;
  for (; pieces < 3; pieces++) assert.equal(work.next().done, false);
  const applied = atOnce(work);
  assert.deepEqual(atOnce(applied(stored, 2)), applyOperations(stored, after, 2));
  assert.deepEqual(atOnce(applied(stored.toReversed(), 2)), applyOperations(stored, after, 2), "in the order of another way to read them");
  assert.equal(atOnce(applied(stored.slice(1), 2)), undefined);
  const others = applyOperations([], before, 3).pages.map((page) => ({ ...page, bytes: page.bytes! }));
  assert.equal(atOnce(applied(others, 4)), undefined);
});

test("operations that clear many pages are applied, compared and written down in pieces, however few they are", () => {
  const plans = Array.from({ length: 150 }, (_, index) => `P${index}`);
  const closed = plans.flatMap((lane) => ["SGL", "DBL", "TPL", "APP"].map((category) => ({ ...ARRIVAL, category, lane })));
  const stored = applyOperations([], closed, 1).pages.map((page) => ({ ...page, bytes: page.bytes! }));
  assert.equal(stored.length, 600);
  const clears: Operation[] = plans.map((lane) => ({ type: "clear", kind: "rate", groups: ["restrictions"], lane, from: FIRST }));
  const work = piecesOf(applyAhead(stored, clears));
  assert.ok(work.pieces >= 6, `${work.pieces} pieces`);
  const applied = piecesOf(work.result(stored, 2));
  assert.ok(applied.pieces >= 6, `${applied.pieces} pieces`);
  assert.deepEqual(applied.result, applyOperations(stored, clears, 2));
});

const ARRIVAL = {
  type: "assign",
  kind: "rate",
  first: FIRST,
  last: FIRST + 9,
  days: EVERY_DAY,
  group: "restrictions",
  replace: false,
  values: new Map([["closedToArrival", 1]]),
} as const;

/** How often work stops, and what comes of it. */
function piecesOf<T>(work: Pieces<T>): { pieces: number; result: T } {
  for (let pieces = 0; ; pieces++) {
    const { done, value } = work.next();
    if (done) return { pieces, result: value };
  }
}
