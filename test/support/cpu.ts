import assert from "node:assert/strict";
import { cpuStopwatch } from "../../src/clock.ts";

const ROUNDS = 5;
const SCANNED = "x".repeat(1024 * 1024);

/**
 * Asserts that `work` takes at most `most` times the CPU time of a scan of `length` characters.
 * CPU time does not count what the rest of the machine does, and the ratio does not depend on how fast it is.
 * Linear work takes up to some hundred scans. Work that is quadratic in 64,000 characters takes tens of thousands.
 */
export async function assertScans(length: number, most: number, work: () => unknown): Promise<void> {
  const scan = (await leastCpuTime(0, () => scanText(SCANNED))) * (length / SCANNED.length);
  const scans = (await leastCpuTime(most * scan, work)) / scan;
  assert.ok(scans <= most, `took the time of ${Math.ceil(scans)} scans of ${length} characters, ${most} are allowed`);
}

/** Returns how many milliseconds of CPU time `work` takes. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const elapsed = cpuStopwatch();
  await work();
  return elapsed();
}

/** Returns the time of the fastest round. The first one may compile the code, too, so others follow while none was within `enough`. */
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
