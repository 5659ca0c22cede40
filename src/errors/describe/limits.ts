import { shareOfRate, TokenBuckets } from "../../web/guard/token-bucket.ts";
import type { ContextLevel, ErrorOutline, NewErrorEntry } from "../entry.ts";
import type { ScrubBudget } from "./redact.ts";

const MAX_CONTEXT_BYTES = 8_192;
const MAX_VALUE_LENGTH = 1_024;
const REPEATED_FRAME_COUNT = 3;

/** Calls `describe` with smaller and smaller budgets until the JSON fits. Budgets count characters, but the limit is in bytes. */
export function fitContext<T>(describe: (budget: ScrubBudget) => T): { value: T; cut: boolean } {
  for (let left = MAX_CONTEXT_BYTES; ;) {
    const budget: ScrubBudget = { left, longest: MAX_VALUE_LENGTH, cut: false };
    const value = describe(budget);
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes <= MAX_CONTEXT_BYTES || left === 0) return { value, cut: budget.cut };
    left = Math.floor(left * Math.min(0.9, MAX_CONTEXT_BYTES / bytes));
  }
}

export function addContext({ context, detail, ...outline }: ErrorOutline, level: ContextLevel): NewErrorEntry {
  const trace = level === "path" ? innermostFrames(detail.trace) : detail.trace;
  return { ...outline, detail: { ...detail, trace, ...context(level) } };
}

function innermostFrames(trace: readonly string[]): readonly string[] {
  return trace.length <= REPEATED_FRAME_COUNT + 1 ? trace : [...trace.slice(0, REPEATED_FRAME_COUNT), `#${REPEATED_FRAME_COUNT} {main}`];
}

const GROUP_RATE = { burst: 200, perSecond: 20 };
const TOTAL_RATE = { burst: 2_000, perSecond: 200 };
/** How often errors are stored with their context during an outage, when most requests fail for the same reason. */
const OUTAGE_RATE = { burst: 1, perSecond: 1 / 60 };
const OUTAGE_STATUS = 503;
const MAX_TRACKED_GROUPS = 10_000;

/** Limits how many errors keep their context, both per group and in total, because a client can cause errors in many groups. */
export class ContextLimiter {
  readonly #perGroup: TokenBuckets;
  readonly #total: TokenBuckets;
  readonly #outages = new TokenBuckets(OUTAGE_RATE, MAX_TRACKED_GROUPS);

  constructor(workers = 1) {
    this.#perGroup = new TokenBuckets(shareOfRate(GROUP_RATE, workers), MAX_TRACKED_GROUPS);
    this.#total = new TokenBuckets(shareOfRate(TOTAL_RATE, workers), 1);
  }

  take(group: number, status: number | undefined, now: number): ContextLevel {
    const perGroup = status === OUTAGE_STATUS ? this.#outages : this.#perGroup;
    const isLimited = perGroup.take(String(group), 1, now) > 0 || this.#total.take("", 1, now) > 0;
    return isLimited ? "path" : "full";
  }
}
