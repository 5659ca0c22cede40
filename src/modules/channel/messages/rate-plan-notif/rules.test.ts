import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseNight, weekdayBit } from "../../../../calendar/night.ts";
import { outerBounds, buildLayer, valueRuns } from "./rules.ts";

const FIRST = parseNight("2026-11-20")!;
const layerValue = fc.constantFrom(0, 1, 2, null, undefined);
const weekly = fc
  .tuple(fc.array(layerValue, { minLength: 7, maxLength: 7 }), fc.integer({ min: 1, max: 6 }))
  .map(([week, times]) => Array.from({ length: times }, () => week).flat());
const nights = fc.array(fc.oneof(weekly, fc.array(layerValue, { maxLength: 10 })), { maxLength: 5 }).map((parts) => parts.flat());

test("returns runs that contain each night's value exactly once", () => {
  fc.assert(
    fc.property(nights, (values) => {
      const written = values.map(() => [] as unknown[]);
      for (const { first, last, days, value } of valueRuns(values, FIRST)) {
        for (let night = first; night <= last; night++) if (days & weekdayBit(night)) written[night - FIRST]!.push(value);
      }
      assert.deepEqual(
        written,
        values.map((value) => (value === undefined ? [] : [value])),
      );
    }),
  );
});

test("returns one run for each value if all weeks are identical", () => {
  const year = Array.from({ length: 364 }, (_, night) => (night % 7 === 2 ? 1 : 0));
  const runs = [...valueRuns(year, FIRST)];
  assert.deepEqual(
    runs.map(({ days, value }) => [value, days]),
    [
      [0, 127 - 64],
      [1, 64],
    ],
  );
});

test("limits a layer to the nights of its rules", () => {
  const rule = {
    narrowedBy: [],
    category: undefined,
    range: undefined,
    at: { offset: 0, record: undefined },
    arrival: undefined,
    departure: undefined,
  };
  const bound = [3, 5].map((at) => ({
    rule: { ...rule, restrictions: new Map([["minStayArrival" as const, at]]) },
    range: { first: FIRST + at, last: FIRST + at, days: 127 },
  }));
  const ends = outerBounds(bound)!;
  assert.deepEqual([ends.first - FIRST, ends.last - FIRST], [3, 5]);
  assert.deepEqual(buildLayer(bound, ends), new Map([["minStayArrival", [3, undefined, 5]]]));
  assert.equal(outerBounds([]), undefined);
});
