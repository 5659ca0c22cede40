import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LARGE, MAX_UNPACKED_BYTES, MAX_WAITING, PATIENCE_MS } from "./limits.ts";
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

test("one message of a hotel is under way and twenty wait, until one leaves", () => {
  const traffic = new Traffic();
  const leaving = Array.from({ length: 1 + MAX_WAITING }, () => traffic.joinQueue("H"));
  assert.ok(leaving.every((leave) => leave !== undefined));
  assert.equal(traffic.joinQueue("H"), undefined);
  assert.ok(traffic.joinQueue("another"));
  leaving[0]!();
  assert.ok(traffic.joinQueue("H"));
});

test("messages stand aside as long as what was read of them has room", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const traffic = new Traffic();
  const ended: string[] = [];
  const stand = (name: string, bytes: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stood = traffic.standAside({ end: () => ended.push(name) }, bytes, promise);
    return () => {
      resolve();
      return stood;
    };
  };
  const largest = stand("largest", MAX_UNPACKED_BYTES);
  mock.timers.tick(PATIENCE_MS);
  const second = stand("second", 1);
  mock.timers.tick(PATIENCE_MS);
  assert.deepEqual(ended, ["largest"]);
  await Promise.all([largest(), second()]);
  const third = stand("third", 1);
  mock.timers.tick(PATIENCE_MS);
  assert.deepEqual(ended, ["largest", "third"]);
  await third();
});
