import assert from "node:assert/strict";
import { test } from "node:test";
import { eachEngine } from "../../test/support/databases.ts";
import { claimJob } from "./jobs.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 20, 9);
const JOB = { name: "tidy", everyMs: HOUR_MS };

eachEngine("claimJob", (open, makePlace) => {
  test("lets only one of several concurrent processes claim a job", async () => {
    const place = await makePlace();
    const databases = await Promise.all([open(place), open(place), open(place)]);
    const claimAll = (now: number) => Promise.all(databases.map((database) => claimJob(database, JOB, now)));
    for (const now of [START, START + HOUR_MS, START + 2 * HOUR_MS]) {
      assert.deepEqual((await claimAll(now)).toSorted(), [false, false, true]);
    }
  });

  test("a job can be claimed again after its interval, even if a timer fires slightly early", async () => {
    const database = await open();
    const claim = (minutes: number) => claimJob(database, JOB, START + minutes * 60_000);
    assert.deepEqual([await claim(0), await claim(50), await claim(59), await claim(100)], [true, false, true, false]);
    assert.equal(await claimJob(database, { ...JOB, name: "other" }, START), true, "jobs are independent");
  });

  test("ignores a claim whose time is far in the future", async () => {
    const database = await open();
    assert.equal(await claimJob(database, JOB, START + 30 * 24 * HOUR_MS), true);
    assert.equal(await claimJob(database, JOB, START), true);
    assert.equal(await claimJob(database, JOB, START - 60_000), false, "clocks of two machines differ a little");
  });
});
