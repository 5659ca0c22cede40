import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { localMoment, readMoment } from "./moment.ts";

/** Returns a time in the time zone of the test process. */
const at = (...parts: [number, number, number, number, number, number, number]) => new Date(...parts).getTime();

const READ: readonly (readonly [text: string, first: number, last: number])[] = [
  ["2026-11-20", at(2026, 10, 20, 0, 0, 0, 0), at(2026, 10, 20, 23, 59, 59, 999)],
  ["2026-11-20T08:30", at(2026, 10, 20, 8, 30, 0, 0), at(2026, 10, 20, 8, 30, 59, 999)],
  ["2026-11-20 08:30:05", at(2026, 10, 20, 8, 30, 5, 0), at(2026, 10, 20, 8, 30, 5, 999)],
];

const ZONED: readonly (readonly [text: string, first: number, last: number])[] = [
  ["2026-11-20T08:30Z", Date.UTC(2026, 10, 20, 8, 30), Date.UTC(2026, 10, 20, 8, 30, 59, 999)],
  ["2026-11-20T08:30:05+01:00", Date.UTC(2026, 10, 20, 7, 30, 5), Date.UTC(2026, 10, 20, 7, 30, 5, 999)],
  ["2026-11-20T08:30:05 01:00", Date.UTC(2026, 10, 20, 7, 30, 5), Date.UTC(2026, 10, 20, 7, 30, 5, 999)],
  ["2026-11-20T08:30:05-05:30", Date.UTC(2026, 10, 20, 14, 0, 5), Date.UTC(2026, 10, 20, 14, 0, 5, 999)],
  ["2026-11-20T08:30:05.250Z", Date.UTC(2026, 10, 20, 8, 30, 5, 250), Date.UTC(2026, 10, 20, 8, 30, 5, 250)],
];

for (const [text, first, last] of ZONED) {
  test(`reads ${text} as the same time in every zone`, () => {
    assert.equal(readMoment(text, "first"), first);
    assert.equal(readMoment(text, "last"), last);
  });
}

for (const [text, first, last] of READ) {
  test(`reads ${text} in the server's time zone`, () => {
    assert.equal(readMoment(text, "first"), first);
    assert.equal(readMoment(text, "last"), last);
  });
}

test("reads times in the format of the pages and in ISO 8601", () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) }), (now) => {
      const second = Math.floor(now / 1_000) * 1_000;
      const shown = localMoment(second);
      const [first, last] = [readMoment(shown, "first")!, readMoment(shown, "last")!];
      assert.deepEqual([localMoment(first), localMoment(last)], [shown, shown]);
      assert.ok(first <= second && second <= last, "may occur twice when clocks go back");
      assert.deepEqual([readMoment(new Date(now).toISOString(), "first"), readMoment(new Date(now).toISOString(), "last")], [now, now]);
    }),
    { numRuns: 1_000 },
  );
});

test("rejects invalid dates and times", () => {
  for (const text of [
    "",
    "yesterday",
    "2026-02-30",
    "2026-11-20T24:30",
    "2026-11-20T8:30",
    "20.11.2026",
    "2026-11-20Z",
    "2026-11-20+01:00",
    "2026-11-20T08:30+99:00",
    "2026-11-20T08:30ZZ",
    "2026-11-20T08:30.5",
  ]) {
    assert.equal(readMoment(text, "first"), undefined, text);
    assert.equal(readMoment(text, "last"), undefined, text);
  }
});
