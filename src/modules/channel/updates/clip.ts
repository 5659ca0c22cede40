import { formatNight, type Night, weekdayBit } from "../../../calendar/night.ts";
import { type DayMask, EVERY_DAY } from "../../../calendar/operation.ts";
import type { DecisionContext } from "../message.ts";
import { nightsBeyondHorizon, pastNightsIgnored, note } from "../ota-error.ts";
import type { SourceLocation } from "../report.ts";
import type { WeekdayRange } from "./update.ts";

/** Clips ranges to the nights that can be stored: from today to the property's booking horizon. */
export class RangeClipper {
  readonly #context: DecisionContext;
  readonly #past = new Map<string, { range: WeekdayRange; at: SourceLocation }>();

  constructor(context: DecisionContext) {
    this.#context = context;
  }

  clip(range: WeekdayRange, at: SourceLocation): WeekdayRange | undefined {
    const { today, horizon, report } = this.#context;
    const { first, last, days } = range;
    if (first >= today && last <= horizon && days === EVERY_DAY) return range;
    if (first < today) this.#past.set(`${first} ${last} ${days}`, { range: { first, last: Math.min(last, today - 1), days }, at });
    if (hasNight({ first: Math.max(first, horizon + 1), last, days })) report.warn(nightsBeyondHorizon(), at);
    const clippedRange = { first: Math.max(first, today), last: Math.min(last, horizon), days };
    if (hasNight(clippedRange)) return clippedRange;
    if (!hasNight(range)) report.warn(note("the range has no night on the given weekdays"), at);
    return undefined;
  }

  /** Warns about skipped past nights. Call once, after the last range. */
  finish(): void {
    const { today, report } = this.#context;
    const pastNights = [...this.#past.values()];
    const nights = distinctNights(pastNights.map(({ range }) => range));
    if (nights > 0) report.warn(pastNightsIgnored(nights, formatNight(today)), pastNights[0]!.at);
  }
}

function hasNight({ first, last, days }: WeekdayRange): boolean {
  return first <= last && (days === EVERY_DAY || last - first >= 6 || hasSelectedNight(first, last, days));
}

function hasSelectedNight(first: Night, last: Night, days: DayMask): boolean {
  for (let night = first; night <= last; night++) if (weekdayBit(night) & days) return true;
  return false;
}

function distinctNights(ranges: readonly WeekdayRange[]): number {
  return ranges.every(({ days }) => days === EVERY_DAY) ? lengthOfUnion(ranges) : countNights(ranges);
}

function lengthOfUnion(ranges: readonly WeekdayRange[]): number {
  let nights = 0;
  let covered = Number.NEGATIVE_INFINITY;
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    nights += Math.max(0, last - Math.max(first - 1, covered));
    covered = Math.max(covered, last);
  }
  return nights;
}

/** Maximum number of nights to count in ranges that are limited to some weekdays. */
const MAX_COUNTED_NIGHTS = 100_000;

function countNights(ranges: readonly WeekdayRange[]): number {
  const nights = new Set<Night>();
  let left = MAX_COUNTED_NIGHTS;
  for (const { first, last, days } of ranges) {
    for (let night = last; night >= first && left > 0; night--, left--) if (weekdayBit(night) & days) nights.add(night);
  }
  return nights.size;
}
