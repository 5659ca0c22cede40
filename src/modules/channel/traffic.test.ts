import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LARGE } from "./limits.ts";
import { Traffic } from "./traffic.ts";

test("every message waits for the large ones before it, and none for a small one", async () => {
  const traffic = new Traffic();
  const ended: string[] = [];
  const first = await traffic.takeTurn(LARGE);
  const later = (name: string, bytes: number) =>
    traffic.takeTurn(bytes).then((turn) => {
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
  await traffic.takeTurn(1);
});
