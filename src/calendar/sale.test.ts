import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attribute, AttributeValue } from "./attributes.ts";
import { emptyLane, inventoryLane, rateLane } from "./night-values.ts";
import { decideCategoryNights, decidePlanNights, decideRoomNights, roomsLeft, totalRoomsLeft } from "./sale.ts";

type Columns = Partial<Record<Attribute, (AttributeValue | undefined)[]>>;

const lane = (code: string, columns: Columns) => ({
  ...emptyLane("DBL", code),
  columns: new Map(Object.entries(columns)) as ReturnType<typeof emptyLane>["columns"],
});
const COUNT = 4;
const general = rateLane(lane("", { stopSell: [undefined, 1, undefined, 0] }), COUNT);
const own = inventoryLane(lane("", { available: [3, 3, undefined, 3] }), COUNT);
const lanes = {
  ...{ inactive: undefined, assumeOpen: true, past: 0, bookable: COUNT, count: COUNT },
  ...{ inventory: [own], general: general.nights },
};
const statesOf = (nights: readonly { verdict: { state: string } }[]) => nights.map(({ verdict }) => verdict.state);

test("closes a category, its rooms and its plans if the category has a stop sell", () => {
  const category = decideCategoryNights(lanes);
  assert.deepEqual(statesOf(category), ["sellable", "stop sell", "no count", "sellable"]);
  assert.deepEqual(category.map(roomsLeft), [3, 0, undefined, 3]);
  const room = inventoryLane(lane("101", { available: [1, 1, 0, 1] }), COUNT);
  assert.deepEqual(statesOf(decideRoomNights(lanes, room)), ["sellable", "stop sell", "sold out", "sellable"]);
  const plan = rateLane(lane("BAR", { "amount:after:2:10:1": [90, 90, 90, undefined], allotment: [2, 2, 2, 2] }), COUNT);
  assert.deepEqual(statesOf(decidePlanNights(lanes, { lane: plan, category, guests: 2, isRetired: false })), [
    "sellable",
    "stop sell",
    "sellable",
    "no price",
  ]);
  const withoutPrices = decidePlanNights(lanes, { lane: plan, category, guests: undefined, isRetired: false });
  assert.deepEqual(statesOf(withoutPrices), ["sellable", "stop sell", "sellable", "sellable"]);
});

test("lists the category's stop sell only once for the row without a rate plan", () => {
  const category = decideCategoryNights(lanes);
  const [, closed] = decidePlanNights(lanes, { lane: general, category, guests: undefined, isRetired: false });
  assert.deepEqual(closed!.verdict.reasons, [{ state: "stop sell", of: "category", message: undefined }]);
});

test("treats nights before today or beyond the horizon as not sellable", () => {
  const category = decideCategoryNights({ ...lanes, general: undefined, past: 1, bookable: 3 });
  assert.deepEqual(statesOf(category), ["past", "sellable", "no count", "beyond horizon"]);
});

test("adds up free rooms, counting closed nights as 0 and skipping missing counts", () => {
  const [open, closed, unknown] = decideCategoryNights(lanes);
  assert.equal(totalRoomsLeft([open!, closed!, unknown!]), 3);
  assert.equal(totalRoomsLeft([unknown!]), undefined);
  const [inactive] = decideCategoryNights({ ...lanes, inactive: "category" });
  assert.equal(totalRoomsLeft([inactive!]), 0);
});

test("uses the same object for identical nights", () => {
  const category = decideCategoryNights({ ...lanes, general: undefined });
  assert.equal(category[0], category[1]);
  assert.notEqual(category[1], category[2]);
});
