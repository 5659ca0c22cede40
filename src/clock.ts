export type Clock = {
  now(): number;
};

export const systemClock: Clock = { now: () => Date.now() };

export function fixedClock(start: number): Clock & { set(now: number): void } {
  let current = start;
  return {
    now: () => current,
    set(now) {
      current = now;
    },
  };
}

export function stopwatch(): () => number {
  const start = performance.now();
  return () => performance.now() - start;
}

/** Measures this process's CPU time, which is not affected by other processes. */
export function cpuStopwatch(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
