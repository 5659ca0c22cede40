import assert from "node:assert/strict";
import { cpuStopwatch } from "../../src/clock.ts";

const ROUNDS = 5;
const SCANNED = "x".repeat(1024 * 1024);

/**
 * Asserts that `work` takes at most `limit` times the CPU time of scanning `length` characters. This ratio hardly depends on the machine.
 * Linear work takes up to a few hundred scans; quadratic work on 64,000 characters takes tens of thousands.
 */
export async function assertScans(length: number, limit: number, work: () => unknown): Promise<void> {
  const scan = (await leastCpuTime(0, () => scanText(SCANNED))) * (length / SCANNED.length);
  const scans = (await leastCpuTime(limit * scan, work)) / scan;
  assert.ok(scans <= limit, `took ${Math.ceil(scans)} scans of ${length} characters, the limit is ${limit}`);
}

export async function cpuTime(work: () => unknown): Promise<number> {
  const elapsed = cpuStopwatch();
  await work();
  return elapsed();
}

/** Returns the fastest of several rounds, because the first may include compilation. Stops when a round takes at most `enough`. */
async function leastCpuTime(enough: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least > enough; round++) least = Math.min(least, await cpuTime(work));
  return least;
}

function scanText(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index);
  return sum;
}
