import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { inPieces } from "./pieces.ts";

test("between two pieces of work others do theirs", async () => {
  const said: string[] = [];
  function* pieces() {
    for (let piece = 1; piece <= 3; piece++) yield void said.push(`piece ${piece}`);
    return "whole";
  }
  const done = inPieces(pieces());
  let turns = 0;
  for (; said.length < 3; turns++) await nextTurn();
  assert.equal(await done, "whole");
  assert.ok(turns >= 3, `${turns} turns`);
});
