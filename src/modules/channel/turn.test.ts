import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { inPieces, LARGE, takeTurn } from "./turn.ts";

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

test("a large message waits for the one before, a small one for none", async () => {
  const first = await takeTurn(LARGE);
  let second = false;
  const waiting = takeTurn(LARGE).then((turn) => {
    second = true;
    return turn;
  });
  (await takeTurn(LARGE - 1)).end();
  await nextTurn();
  assert.equal(second, false);
  first.end();
  first.end();
  (await waiting).end();
  (await takeTurn(LARGE)).end();
});
