import { monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks";

const RESOLUTION_MS = 20;
const NS_PER_MS = 1_000_000;

/** How the event loop and the garbage collector did since the process was watched, times in milliseconds. */
export type LoopFigures = {
  delayMean: number;
  delay99: number;
  delayMax: number;
  utilisation: number;
  collections: number;
  collecting: number;
};

/** Watches the event loop until `stop`. */
export type LoopWatch = { read(): LoopFigures; stop(): void };

/** Begins to watch. */
export function watchLoop(): LoopWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const collected = { count: 0, time: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      collected.count++;
      collected.time += entry.duration;
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return {
    read: () => ({
      delayMean: beyondResolution(delay.mean),
      delay99: beyondResolution(delay.percentile(99)),
      delayMax: beyondResolution(delay.max),
      utilisation: performance.eventLoopUtilization().utilization,
      collections: collected.count,
      collecting: collected.time,
    }),
    stop() {
      delay.disable();
      observer.disconnect();
    },
  };
}

/** The histogram holds the whole distance between two looks; the part above the distance asked for is the delay. Before the first look it has no number. */
function beyondResolution(nanoseconds: number): number {
  const milliseconds = nanoseconds / NS_PER_MS - RESOLUTION_MS;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}
