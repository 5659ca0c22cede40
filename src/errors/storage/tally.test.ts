import assert from "node:assert/strict";
import { test } from "node:test";
import { tallyRows } from "./tally.ts";

test("what is added up comes in the order of the groups' numbers, so that two processes lock them alike", () => {
  const row = (id: number) => ({ at: 0, group: { id } }) as Parameters<typeof tallyRows>[0][number];
  const tallies = tallyRows([7, 2, 9, 2, 5].map(row));
  assert.deepEqual(
    tallies.map(({ group, count }) => [group.id, count]),
    [
      [2, 2],
      [5, 1],
      [7, 1],
      [9, 1],
    ],
  );
});
