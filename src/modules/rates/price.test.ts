import assert from "node:assert/strict";
import { test } from "node:test";
import { type Amount, sortAmounts } from "./price.ts";

test("amounts stand by age, adults first, then by guests, length of stay and tax", () => {
  const amount = (age: number, guests: number, nights: number, tax: "after" | "before") =>
    ({ key: { age, guests, nights, tax } }) as Amount;
  const order = [
    amount(10, 1, 1, "after"),
    amount(10, 1, 1, "before"),
    amount(10, 1, 7, "after"),
    amount(10, 2, 1, "after"),
    amount(10, 2, 3, "after"),
    amount(8, 1, 1, "after"),
  ];
  assert.deepEqual(sortAmounts(order.toReversed()), order);
});
