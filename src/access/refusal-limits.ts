import type { FailureCount, FoundFailures } from "../web/guard/backoff.ts";

const REFUSAL_LIMITS = [
  { key: "refusals in a minute", ms: 60_000, max: 100 },
  { key: "refusals in a day", ms: 86_400_000, max: 10_000 },
] as const;

export const REFUSAL_KEYS: readonly string[] = REFUSAL_LIMITS.map(({ key }) => key);

/** `full` marks the first refusal over a limit, and `over` each later one. `until` is when the limit resets. */
type RefusalCount = { verdict: "listed" | "full" | "over"; until: number };

export function countRefusal(found: FoundFailures, now: number): { store: FoundFailures; result: RefusalCount } {
  const counts = REFUSAL_LIMITS.map(({ key, ms, max }) => ({ key, max, ...countFailure(found.get(key), now, ms) }));
  const store = new Map(counts.map(({ key, count, until }) => [key, { count, until }]));
  const exceededLimits = counts.filter(({ count, max }) => count > max);
  if (exceededLimits.length === 0) return { store, result: { verdict: "listed", until: now } };
  const isFirst = exceededLimits.every(({ count, max }) => count === max + 1);
  return { store, result: { verdict: isFirst ? "full" : "over", until: Math.max(...exceededLimits.map(({ until }) => until)) } };
}

/** Counts a failure. Restarts at 1 if the period has ended or the clock was set back. */
function countFailure(failures: FailureCount | undefined, now: number, ms: number): FailureCount {
  const isCurrent = failures !== undefined && failures.until > now && failures.until <= now + ms;
  return isCurrent ? { count: failures.count + 1, until: failures.until } : { count: 1, until: now + ms };
}
