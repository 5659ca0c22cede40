import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cellAt, copyCells, expandRuns, isUniform, type Runs, setBits, setCells, setCellsWeekly, SPAN_DAYS, uniformRuns } from "./runs.ts";

/** Ranges of a few nights, so that runs are often adjacent. */
const shortRange = fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 12 })).map(([from, length]) => ({ from, end: from + length }));
const anyRange = fc.tuple(fc.nat(SPAN_DAYS - 1), fc.nat(SPAN_DAYS)).map(([from, length]) => ({
  from,
  end: Math.min(SPAN_DAYS, from + 1 + length),
}));
const step = fc.record({ nights: fc.oneof(shortRange, anyRange), cell: fc.integer({ min: -1, max: 3 }) });
const steps = fc.array(step, { maxLength: 40 });

function buildRuns(all: readonly { nights: { from: number; end: number }; cell: number }[]): { runs: Runs; cells: number[] } {
  const runs = uniformRuns(0);
  const cells = Array<number>(SPAN_DAYS).fill(0);
  for (const { nights, cell } of all) {
    setCells(runs, nights.from, nights.end, cell);
    cells.fill(cell, nights.from, nights.end);
  }
  return { runs, cells };
}

/** Asserts that the runs are in canonical form. */
function assertNormalized({ ends, cells }: Runs): void {
  assert.equal(ends.length, cells.length);
  assert.equal(ends.at(-1), SPAN_DAYS);
  for (let run = 1; run < ends.length; run++) {
    assert.ok(ends[run]! > ends[run - 1]!);
    assert.notEqual(cells[run], cells[run - 1]);
  }
}

test("stores the same cells as an array, in as few runs as possible", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { runs, cells } = buildRuns(all);
      assertNormalized(runs);
      assert.deepEqual(expandRuns(runs), cells);
      assert.deepEqual(
        cells.map((_, night) => cellAt(runs, night)),
        cells,
      );
      assert.equal(
        isUniform(runs, 0),
        cells.every((cell) => cell === 0),
      );
    }),
    { numRuns: 300 },
  );
});

test("sets only the cells on the given weekdays of a range", () => {
  fc.assert(
    fc.property(steps, fc.oneof(shortRange, anyRange), fc.integer({ min: 0, max: 127 }), (all, { from, end }, week) => {
      const { runs, cells } = buildRuns(all);
      setCellsWeekly(runs, from, end, 9, week);
      assertNormalized(runs);
      assert.deepEqual(
        expandRuns(runs),
        cells.map((cell, night) => (night >= from && night < end && ((week >> (night % 7)) & 1) === 1 ? 9 : cell)),
      );
    }),
    { numRuns: 300 },
  );
});

test("sets bits and copies cells only for the given nights", () => {
  fc.assert(
    fc.property(steps, steps, fc.oneof(shortRange, anyRange), (first, second, { from, end }) => {
      const [target, source] = [buildRuns(first), buildRuns(second)];
      copyCells(target.runs, source.runs, from, end);
      target.cells.splice(from, end - from, ...source.cells.slice(from, end));
      assertNormalized(target.runs);
      assert.deepEqual(expandRuns(target.runs), target.cells);
      setBits(target.runs, from, end, 4);
      assertNormalized(target.runs);
      assert.deepEqual(
        expandRuns(target.runs),
        target.cells.map((cell, night) => (night >= from && night < end ? cell | 4 : cell)),
      );
    }),
    { numRuns: 300 },
  );
});
