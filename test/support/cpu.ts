import assert from "node:assert/strict";

const ROUNDS = 5;
const SCANNED = "x".repeat(1024 * 1024);

/**
 * Asserts that `work` takes at most `most` times the CPU time of a scan of `length` characters.
 * CPU time does not count what the rest of the machine does, and the ratio does not depend on how fast it is.
 * Linear work takes up to some hundred scans. Work that is quadratic in 64,000 characters takes tens of thousands.
 */
export async function assertScans(length: number, most: number, work: () => unknown): Promise<void> {
  const scan = (await leastCpu(0, () => scanText(SCANNED))) * (length / SCANNED.length);
  const scans = (await leastCpu(most * scan, work)) / scan;
  assert.ok(scans <= most, `took the time of ${Math.ceil(scans)} scans of ${length} characters, ${most} are allowed`);
}

/** Microseconds of the fastest round. Further rounds follow only while none was within `enough`: the first may also compile the code. */
export async function leastCpu(enough: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least > enough; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

function scanText(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index);
  return sum;
}
