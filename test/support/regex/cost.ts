import { cpuStopwatch } from "../../../src/clock.ts";
import { type Hostile, makeText } from "./hostile.ts";

/** Input lengths, and how many of the most expensive inputs proceed to the next length. */
const STAGES = [
  { length: 25, kept: Infinity },
  { length: 300, kept: 100 },
  { length: 3_000, kept: 10 },
  { length: 15_000, kept: 3 },
  { length: 60_000, kept: 1 },
  { length: 1_000_000, kept: 1 },
];

/** Fixed cost in microseconds, such as for compiling a pattern or collecting garbage. */
const FIXED = 20_000;
const TOO_SLOW = 100_000;
const RUNS = 5;

export type Cost = { text: Hostile; length: number; micros: number; ratio: number };

/** Returns the input with the highest cost for `read`. Stops at the first input whose ratio exceeds `bound`. */
export function costliest(read: (text: string) => void, texts: readonly Hostile[], bound: number): Cost | undefined {
  let remaining = texts;
  let worst: Cost | undefined;
  for (const { length, kept } of STAGES) {
    const costs: Cost[] = [];
    for (const text of remaining) {
      const cost = costOf(read, text, { length, bound });
      if (isTooSlow(cost, bound)) return cost;
      costs.push(cost);
    }
    costs.sort((a, b) => b.micros - a.micros);
    remaining = costs.slice(0, kept).map(({ text }) => text);
    worst = costs[0];
  }
  return worst;
}

export function isTooSlow({ micros, ratio }: Cost, bound: number): boolean {
  return micros > FIXED && ratio > bound;
}

/** Measures an input, and repeats the measurement if it took too long. */
function costOf(read: (text: string) => void, hostile: Hostile, { length, bound }: { length: number; bound: number }): Cost {
  const text = makeText(hostile, length);
  const once = costOfReading(text.length);
  const cost: Cost = { text: hostile, length: text.length, micros: Infinity, ratio: Infinity };
  for (let run = 0; run < RUNS && isTooSlow(cost, bound); run++) {
    cost.micros = Math.min(
      cost.micros,
      cpuMicros(() => read(text)),
    );
    cost.ratio = cost.micros / once;
    if (cost.micros > TOO_SLOW) break;
  }
  return cost;
}

const readingCosts = new Map<number, number>();

/**
 * Returns the cost of reading `length` characters, measured once per length. Short inputs are repeated, because one run is too fast to
 * measure.
 */
function costOfReading(length: number): number {
  const floor = length / 2_000;
  if (length < 50_000) return floor;
  const text = "x".repeat(length);
  const measure = () => Math.min(...Array.from({ length: RUNS }, () => cpuMicros(() => readOnce(text))));
  return Math.max(floor, readingCosts.getOrInsertComputed(length, measure));
}

function readOnce(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  return sum;
}

function cpuMicros(work: () => unknown): number {
  const elapsed = cpuStopwatch();
  work();
  return elapsed() * 1_000;
}
