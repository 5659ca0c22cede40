import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz } from "./support/fuzz/fuzz.ts";

const INPUTS = 2_000;
/** Leaves room for caches to fill up. A leak of 16 kB per input would exceed it. */
const GROWTH = 24 * 1024 * 1024;

test("the channel responds to malformed input quickly and with bounded memory", async () => {
  const { findings, statuses, memory } = await fuzz({ inputs: INPUTS, seed: 20_261_120 });
  assert.deepEqual(
    findings.map(({ problem, answer, input }) => ({
      problem,
      answer,
      headers: input.headers,
      body: input.body.subarray(0, 2_000).toString("latin1"),
    })),
    [],
  );
  const responses = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  assert.equal(responses, INPUTS);
  for (const status of [200, 400, 415]) assert.ok(statuses.has(status), `no response with status ${status}`);
  assert.ok(memory.late - memory.early < GROWTH, `${memory.early} to ${memory.late} bytes`);
});
