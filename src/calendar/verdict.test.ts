import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyLane, EMPTY_NIGHT, rateLane } from "./night-values.ts";
import { countState, isClosedState, type NightOnSale, roomsLeft, SALE_STATES, totalRoomsLeft, verdictOf } from "./verdict.ts";

const RATE = rateLane(emptyLane("DBL", "BAR"), 1).nights[0]!;
const COUNTS = { ...EMPTY_NIGHT, available: 3, setters: { counts: 1 } };
const NIGHT: NightOnSale = {
  ...{ isActive: true, isPast: false, isBeyond: false, assumeOpen: true, hasPrice: true },
  ...{ counts: COUNTS, rate: RATE, general: undefined },
};

test("sells an open night with rooms and a price", () => {
  assert.deepEqual(verdictOf(NIGHT), { state: "sellable", reasons: [] });
});

test("returns every reason with the message that set it, the weightiest first", () => {
  const general = { ...RATE, stopSell: true, setters: { restrictions: 3 } };
  const rate = { ...RATE, stopSell: true, allotment: 0, setters: { restrictions: 4, allotment: 2 } };
  const counts = { ...COUNTS, available: 0, closed: true, setters: { counts: 1, closed: 5 } };
  const all = { counts, rate, general, isActive: false, isPast: true, isBeyond: false, assumeOpen: false, hasPrice: false };
  assert.deepEqual(verdictOf(all), {
    state: "not active",
    reasons: [
      { state: "not active", of: "category" },
      { state: "hotel closed", of: "property", message: 5 },
      { state: "stop sell", of: "plan", message: 4 },
      { state: "stop sell", of: "category", message: 3 },
      { state: "sold out", of: "category", message: 1 },
      { state: "sold out", of: "plan", message: 2 },
      { state: "no price", of: "plan" },
      { state: "past", of: "property" },
    ],
  });
});

const stateOf = (change: Partial<NightOnSale>) => verdictOf({ ...NIGHT, ...change }).state;

test("sells a plan's allotment if the category has no count", () => {
  const rate = { ...RATE, allotment: 2 };
  assert.equal(stateOf({ rate, counts: EMPTY_NIGHT }), "sellable");
  assert.equal(stateOf({ rate, counts: { ...COUNTS, available: 0 } }), "sold out");
  assert.equal(stateOf({ counts: EMPTY_NIGHT }), "no count");
});

test("requires an open status only if the property doesn't treat nights as open by default", () => {
  const open = { ...RATE, stopSell: false };
  assert.equal(stateOf({ assumeOpen: false }), "not opened");
  assert.equal(stateOf({ assumeOpen: false, rate: open }), "sellable");
  assert.equal(stateOf({ assumeOpen: false, general: open }), "sellable");
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
