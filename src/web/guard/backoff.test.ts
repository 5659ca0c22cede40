import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { fixedClock } from "../../clock.ts";
import { Backoff } from "./backoff.ts";

const START = Date.UTC(2026, 0, 1);
const ADDRESS = "192.0.2.1";

describe("Waiting after wrong credentials", () => {
  let clock: ReturnType<typeof fixedClock>;
  let backoff: Backoff;

  beforeEach(() => {
    clock = fixedClock(START);
    backoff = new Backoff(clock);
  });

  const failAgain = (times: number, address = ADDRESS) => {
    for (let time = 0; time < times; time++) backoff.fail(address);
  };

  test("five wrong ones are free, each that follows costs twice as long, up to a minute", () => {
    failAgain(5);
    assert.equal(backoff.secondsToWait(ADDRESS), 0);
    const waits = Array.from({ length: 8 }, () => {
      failAgain(1);
      return backoff.secondsToWait(ADDRESS);
    });
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test("the wait runs down, and is forgotten a minute after its end", () => {
    failAgain(7);
    clock.set(START + 1_001);
    assert.equal(backoff.secondsToWait(ADDRESS), 1, "a part of a second is a whole one");
    clock.set(START + 2_000);
    assert.equal(backoff.secondsToWait(ADDRESS), 0);
    clock.set(START + 2_000 + 59_999);
    failAgain(1);
    assert.equal(backoff.secondsToWait(ADDRESS), 4, "still remembered");
    clock.set(clock.now() + 4_000 + 60_000);
    failAgain(5);
    assert.equal(backoff.secondsToWait(ADDRESS), 0, "counted from the start");
  });

  test("nobody waits longer than a minute because the clock was set back", () => {
    failAgain(7);
    clock.set(START - 3_600_000);
    assert.equal(backoff.secondsToWait(ADDRESS), 0);
  });

  test("an address is the same from whichever port a proxy says that it comes", () => {
    for (const port of [1, 22, 333, 4444, 5555, 6666]) backoff.fail(`${ADDRESS}:${port}`);
    assert.deepEqual([backoff.secondsToWait(`${ADDRESS}:7777`), backoff.secondsToWait(ADDRESS)], [1, 1]);
  });

  test("ten thousand addresses are remembered: the one that failed longest ago is forgotten first", () => {
    failAgain(8, "first");
    failAgain(8, "second");
    failAgain(1, "first");
    for (let index = 0; index < 9_998; index++) backoff.fail(`host-${index}`);
    assert.deepEqual([backoff.secondsToWait("first"), backoff.secondsToWait("second")], [8, 4]);
    backoff.fail("one more");
    assert.deepEqual([backoff.secondsToWait("first"), backoff.secondsToWait("second")], [8, 0]);
  });
});
