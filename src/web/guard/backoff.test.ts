import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countFailure, type FailureCount, addressNetwork, secondsLeft } from "./backoff.ts";

const START = Date.UTC(2026, 0, 1);

/** Returns the state after `times` failures at `now`. */
function fail(times: number, now = START, failures?: FailureCount): FailureCount | undefined {
  let counted = failures;
  for (let time = 0; time < times; time++) counted = countFailure(counted, now, 5);
  return counted;
}

describe("the lockout after failed sign-ins", () => {
  test("doubles the lockout with each further failure, up to a minute", () => {
    assert.equal(secondsLeft(fail(5), START), 0);
    const waits = Array.from({ length: 8 }, (_, index) => secondsLeft(fail(6 + index), START));
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test("ends the lockout after the wait, and forgets failures after a minute without new ones", () => {
    const failures = fail(7);
    assert.equal(secondsLeft(failures, START + 1_001), 1, "rounds up to whole seconds");
    assert.equal(secondsLeft(failures, START + 2_000), 0);
    const remembered = fail(1, START + 2_000 + 59_999, failures);
    assert.equal(secondsLeft(remembered, START + 2_000 + 59_999), 4);
    const later = START + 2_000 + 59_999 + 4_000 + 60_000;
    assert.equal(secondsLeft(fail(5, later, remembered), later), 0, "counted from the start");
  });

  test("ends the lockout when the clock is set back", () => {
    assert.equal(secondsLeft(fail(7), START - 3_600_000), 0);
  });
});

test("finds the network of an IP address in any notation", () => {
  const networks = {
    "192.0.2.1": ["192.0.2.1", "192.0.2.1:443", "::ffff:192.0.2.1"],
    "2001:db8:0:9": ["2001:db8:0:9::1", "2001:DB8:0:09:ffff:1:2:3", "2001:db8::9:0:0:0:1"],
    "0:0:0:0": ["::1"],
    unknown: ["unknown"],
  };
  for (const [network, addresses] of Object.entries(networks))
    for (const address of addresses) assert.equal(addressNetwork(address), network, address);
});
