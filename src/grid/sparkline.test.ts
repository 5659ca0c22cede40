import assert from "node:assert/strict";
import { test } from "node:test";
import { sparkline } from "./sparkline.ts";

/** Returns the parts of a chart between gaps. x goes from 0 to 120, y from 18 at the baseline to 1 at the top. */
function partsOf(values: readonly (number | undefined)[], baseline = 0): string[] {
  const [, path = ""] = / d="([^"]*)"/.exec(sparkline({ values, baseline, title: "Rooms" }).text) ?? [];
  return path.split("M").slice(1);
}

test("a sparkline draws a step for each change, from the baseline to the highest value", () => {
  assert.deepEqual(partsOf([0, 10, 10, 5]), ["0,18V18H30V1H90V9.5H120V18"]);
  assert.deepEqual(partsOf([110, 120], 100), ["0,18V9.5H60V1H120V18"]);
});

test("a sparkline leaves gaps for missing values and closes each segment at the baseline", () => {
  assert.deepEqual(partsOf([4, undefined, undefined, 4]), ["0,18V1H30V18", "90,18V1H120V18"]);
});

test("a sparkline draws nothing for fewer than two values", () => {
  assert.equal(sparkline({ values: [undefined, 3], baseline: 0, title: "Rooms" }).text, "");
});
