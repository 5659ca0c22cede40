import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyLane, EMPTY_NIGHT, rateLane } from "./night-values.ts";
import { type CategoryOnSale, isClosedState, isLimit, type PlanOnSale, reasonText, SALE_STATES, decideVerdict } from "./verdict.ts";

const RATE = rateLane(emptyLane("DBL", "BAR"), 1).nights[0]!;
const COUNTS = { ...EMPTY_NIGHT, available: 3, setters: { counts: 1 } };
const CATEGORY: CategoryOnSale = { inactive: undefined, isPast: false, isBeyondHorizon: false, counts: COUNTS, counted: "category" };
const PLAN: PlanOnSale = { rate: RATE, hasPrice: true, assumeOpen: true, isRetired: false };

test("treats an open night with rooms and a price as sellable", () => {
  assert.deepEqual(decideVerdict(CATEGORY, PLAN), { state: "sellable", reasons: [] });
  assert.deepEqual(decideVerdict(CATEGORY), { state: "sellable", reasons: [] });
});

test("returns every reason, most important first, with the message that caused it", () => {
  const setters = { counts: 1, closed: 5, restrictions: 3 };
  const counts = { ...COUNTS, available: 0, closed: true, stopSell: true, setters };
  const rate = { ...RATE, stopSell: true, allotment: 0, setters: { restrictions: 4, allotment: 2 } };
  const category: CategoryOnSale = { ...CATEGORY, inactive: "property", isPast: true, counts };
  assert.deepEqual(decideVerdict(category, { rate, hasPrice: false, assumeOpen: false, isRetired: true }), {
    state: "not active",
    reasons: [
      { state: "not active", of: "property" },
      { state: "not active", of: "plan" },
      { state: "hotel closed", of: "property", message: 5 },
      { state: "stop sell", of: "category", message: 3 },
      { state: "stop sell", of: "plan", message: 4 },
      { state: "sold out", of: "category", message: 1 },
      { state: "sold out", of: "plan", message: 2 },
      { state: "no price", of: "plan" },
      { state: "past", of: "property" },
    ],
  });
});

const stateOf = (category: Partial<CategoryOnSale>, plan?: Partial<PlanOnSale>) =>
  decideVerdict({ ...CATEGORY, ...category }, plan && { ...PLAN, ...plan }).state;

test("treats a plan with an allotment as sellable if the category has no count", () => {
  const rate = { ...RATE, allotment: 2 };
  assert.equal(stateOf({ counts: EMPTY_NIGHT }, { rate }), "sellable");
  assert.equal(stateOf({ counts: { ...COUNTS, available: 0 } }, { rate }), "sold out");
  assert.equal(stateOf({ counts: EMPTY_NIGHT }, {}), "no count");
});

test("requires an open status unless the property treats nights as open by default", () => {
  assert.equal(stateOf({}, { assumeOpen: false }), "not opened");
  assert.equal(stateOf({}, { assumeOpen: false, rate: { ...RATE, stopSell: false } }), "sellable");
  assert.equal(stateOf({ counts: { ...COUNTS, stopSell: false } }, { assumeOpen: false }), "sellable");
});

test("treats a night with stay limits as sellable", () => {
  const rate = { ...RATE, closedToArrival: true, closedToDeparture: true, minStayArrival: 7, maxStayThrough: 2, pattern: "NNY" };
  assert.equal(stateOf({}, { rate }), "sellable");
});

test("treats a restriction as a limit only if its value limits something", () => {
  assert.ok(isLimit("closedToArrival", 1) && isLimit("minStayArrival", 2) && isLimit("maxStayThrough", 1) && isLimit("pattern", "NY"));
  assert.ok(!isLimit("closedToArrival", 0) && !isLimit("minStayArrival", 1) && !isLimit("minAdvance", 0));
  assert.ok(!isLimit("stopSell", 1) && !isLimit("available", 3));
});

test("says whether a reason applies to the property, the category or the rate plan", () => {
  const codes = { category: "DBL", plan: "BAR", room: "" };
  assert.equal(reasonText({ state: "stop sell", of: "category", message: 3 }, codes), "stop sell on category DBL");
  assert.equal(reasonText({ state: "sold out", of: "plan", message: 3 }, codes), "no allotment left for rate plan BAR");
  assert.equal(reasonText({ state: "not active", of: "property" }, codes), "the property is inactive");
  assert.equal(reasonText({ state: "no price", of: "plan" }, codes), "no price received");
  assert.equal(reasonText({ state: "no price", of: "plan", message: 3 }, codes), "the price was removed");
});

test("treats inactive, closed, stop-sell and unopened nights as closed, but not sold-out nights or nights without counts", () => {
  const closed = (Object.keys(SALE_STATES) as (keyof typeof SALE_STATES)[]).filter(isClosedState);
  assert.deepEqual(closed, ["not active", "hotel closed", "stop sell", "not opened"]);
});
