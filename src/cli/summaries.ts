import { type Clock, stopwatch } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { refreshSummaries } from "../journal/summary/refresh.ts";
import type { ErrorRecorder } from "../web/error-handler.ts";

const REFRESH_INTERVAL_MS = 1_000;

/**
 * Keeps portfolio summaries up to date in the background. Pauses after each step for as long as the step took, so that it uses at most half
 * of the process's time. The returned function waits for the current step.
 */
export function startSummaries(database: Database, clock: Clock, errors: ErrorRecorder): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  const scheduleRun = (ms: number) => {
    timer = isStopped ? undefined : setTimeout(() => (current = run()), ms);
  };
  const run = async () => {
    const elapsed = stopwatch();
    try {
      const hasMoreChanges = await refreshSummaries(database, clock.now());
      scheduleRun(hasMoreChanges ? elapsed() : REFRESH_INTERVAL_MS);
    } catch (error) {
      await errors.record(error, undefined);
      scheduleRun(REFRESH_INTERVAL_MS);
    }
  };
  scheduleRun(REFRESH_INTERVAL_MS);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await current;
  };
}
