import assert from "node:assert/strict";
import { test } from "node:test";
import { type AmountKey, sortAmounts } from "./amounts.ts";

test("sorts amounts by age (adults first), number of guests, length of stay and tax", () => {
  const keys = [
    { age: 10, guests: 1, nights: 1, tax: "after" },
    { age: 10, guests: 1, nights: 1, tax: "before" },
    { age: 10, guests: 1, nights: 7, tax: "after" },
    { age: 10, guests: 2, nights: 1, tax: "after" },
    { age: 10, guests: 2, nights: 3, tax: "after" },
    { age: 8, guests: 1, nights: 1, tax: "after" },
  ];
  const amounts = keys.map((key) => ({ key: key as AmountKey }));
  assert.deepEqual(sortAmounts(amounts.toReversed()), amounts);
});
