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

test("every message waits for the large ones before it, and none for a small one", async () => {
  const ended: string[] = [];
  const first = await takeTurn(LARGE);
  const later = (name: string, bytes: number) =>
    takeTurn(bytes).then((turn) => {
      ended.push(name);
      turn.end();
      turn.end();
    });
  const waiting = Promise.all([later("small", 1), later("second", LARGE), later("last", 1)]);
  await nextTurn();
  assert.deepEqual(ended, []);
  first.end();
  await waiting;
  assert.deepEqual(ended, ["small", "second", "last"]);
  await takeTurn(1);
});
