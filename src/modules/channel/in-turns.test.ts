import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { inTurns } from "./in-turns.ts";

/** Work of three pieces that says what it does; the last one may fail. */
function* pieces(name: string, said: string[], fails = false): Generator<undefined, string> {
  for (let piece = 1; piece <= 3; piece++) {
    said.push(`${name} ${piece}`);
    yield;
  }
  if (fails) throw new Error(`${name} failed`);
  return name;
}

test("large pieces of work follow each other, and others do theirs in between", async () => {
  const said: string[] = [];
  const both = Promise.all([inTurns(pieces("one", said)), inTurns(pieces("two", said))]);
  let turns = 0;
  const others = (async () => {
    for (; said.length < 6; turns++) await nextTurn();
  })();
  assert.deepEqual(await both, ["one", "two"]);
  await others;
  assert.deepEqual(said, ["one 1", "one 2", "one 3", "two 1", "two 2", "two 3"]);
  assert.ok(turns >= 6, `${turns} turns`);
});

test("work that fails holds up nobody", async () => {
  const said: string[] = [];
  const failing = inTurns(pieces("one", said, true));
  const next = inTurns(pieces("two", said));
  await assert.rejects(failing, /one failed/);
  assert.equal(await next, "two");
});
