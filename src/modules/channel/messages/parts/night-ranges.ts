import { formatNight, type Night } from "../../../../calendar/night.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { DateRange } from "./dates.ts";

export type NightRange = { first: Night; last: Night };

/** Clips ranges to the limits, merges them and sorts them. If there are no ranges, returns all nights within the limits. */
export function mergeRanges({ ranges }: { ranges: readonly DateRange[] }, limits: NightRange): NightRange[] {
  if (ranges.length === 0) return [limits];
  const requestedRanges = ranges.map(({ first = limits.first, last = limits.last }) => ({
    first: Math.max(first, limits.first),
    last: Math.min(last, limits.last),
  }));
  const joinedRanges: NightRange[] = [];
  for (const range of requestedRanges.filter(({ first, last }) => first <= last).toSorted((a, b) => a.first - b.first)) {
    const before = joinedRanges.at(-1);
    if (before && range.first <= before.last + 1) before.last = Math.max(before.last, range.last);
    else joinedRanges.push(range);
  }
  return joinedRanges;
}

export function outerBounds(asked: readonly NightRange[]): NightRange | undefined {
  const [first, last] = [asked[0]?.first, asked.at(-1)?.last];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Returns the dates in the form that the sender uses in its own messages. */
export function dateAttributes({ first, last }: NightRange, { end }: Pick<Profile, "end">): Record<"Start" | "End", string> {
  return { Start: formatNight(first), End: formatNight(end === "excluded" ? last + 1 : last) };
}
