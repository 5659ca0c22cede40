import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyLane, EMPTY_NIGHT, rateLane } from "./night-values.ts";
import { countState, isClosedState, type NightOnSale, roomsLeft, SALE_STATES, saleOf, totalRoomsLeft } from "./sellable.ts";

const RATE = rateLane(emptyLane("DBL", "BAR"), 1).nights[0]!;
const COUNTS = { ...EMPTY_NIGHT, available: 3, setters: { counts: 1 } };
const NIGHT: NightOnSale = {
  ...{ isActive: true, isPast: false, assumeOpen: true, hasPrice: true },
  ...{ counts: COUNTS, rate: RATE, general: undefined },
};

test("sells an open night with rooms and a price", () => {
  assert.deepEqual(saleOf(NIGHT), { state: "sellable" });
});

test("returns the first reason and the message that caused it", () => {
  const steps: readonly [Partial<NightOnSale>, ReturnType<typeof saleOf>][] = [
    [{ isPast: true }, { state: "past" }],
    [{ hasPrice: false }, { state: "no price" }],
    [{ rate: { ...RATE, allotment: 0, setters: { allotment: 2 } } }, { state: "sold out", message: 2 }],
    [{ counts: { ...COUNTS, available: 0 } }, { state: "sold out", message: 1 }],
    [{ counts: { ...COUNTS, available: undefined } }, { state: "sold out", message: 2 }],
    [{ rate: RATE }, { state: "no count" }],
    [{ assumeOpen: false }, { state: "not opened" }],
    [{ general: { ...RATE, stopSell: true, setters: { restrictions: 3 } } }, { state: "stop sell", message: 3 }],
    [{ rate: { ...RATE, stopSell: true, setters: { restrictions: 4 } } }, { state: "stop sell", message: 4 }],
    [{ counts: { ...COUNTS, closed: true, setters: { closed: 5 } } }, { state: "hotel closed", message: 5 }],
    [{ isActive: false }, { state: "not active" }],
  ];
  let night = NIGHT;
  for (const [change, sale] of steps) {
    night = { ...night, ...change };
    assert.deepEqual(saleOf(night), sale);
  }
});

test("sells the allotment of a plan if the category has no count of its own", () => {
  const allotted = { ...NIGHT, rate: { ...RATE, allotment: 2 } };
  assert.deepEqual(saleOf({ ...allotted, counts: EMPTY_NIGHT }), { state: "sellable" });
  assert.deepEqual(saleOf({ ...allotted, counts: { ...COUNTS, available: 0 } }), { state: "sold out", message: 1 });
});

test("requires an open status only if the property doesn't treat nights as open by default", () => {
  const strict = { ...NIGHT, assumeOpen: false };
  const open = { ...RATE, stopSell: false };
  assert.deepEqual(saleOf({ ...strict, rate: open }), { state: "sellable" });
  assert.deepEqual(saleOf({ ...strict, general: open }), { state: "sellable" });
});

test("distinguishes closed nights from missing and sold-out ones", () => {
  const closed = (Object.keys(SALE_STATES) as (keyof typeof SALE_STATES)[]).filter(isClosedState);
  assert.deepEqual(closed, ["not active", "hotel closed", "stop sell", "not opened"]);
});

test("counts closed nights as 0 rooms and ignores categories without a count", () => {
  const [closed, unknown, empty] = [{ closed: true, available: 4 }, EMPTY_NIGHT, { closed: false, available: 0 }];
  assert.deepEqual([closed, unknown, empty, COUNTS].map(countState), ["closed", "no count", "sold out", "open"]);
  assert.deepEqual([closed, unknown, empty, COUNTS].map(roomsLeft), [0, undefined, 0, 3]);
  assert.equal(totalRoomsLeft([closed, unknown, COUNTS]), 3);
  assert.equal(totalRoomsLeft([unknown]), undefined);
});
