/** The one place that reads time. Everything that needs "now" is handed a `Clock`. */
export type Clock = {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
};

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock for tests and dry runs: stands still until it is set. */
export function fixedClock(start: number): Clock & { set(now: number): void } {
  let current = start;
  return {
    now: () => current,
    set(now) {
      current = now;
    },
  };
}

/** Milliseconds of a clock that only moves forward, for durations. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => performance.now() - start;
}

/** Milliseconds of CPU time of this process, for costs that must not depend on what else the machine does. */
export function cpuStopwatch(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
