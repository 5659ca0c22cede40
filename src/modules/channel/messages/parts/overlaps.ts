import type { DayMask } from "../../../../calendar/operation.ts";
import type { Report } from "../../report.ts";
import type { Range } from "./dates.ts";

/** Notices lines that touch nights of an earlier line; exact when lines are in date order. */
export function overlapsOf(report: Report): (target: string, range: Range) => void {
  const hulls = new Map<string, { first: number; last: number; days: DayMask }>();
  return (target, { first, last, days }) => {
    const hull = hulls.get(target);
    if (!hull) return void hulls.set(target, { first, last, days });
    if (first <= hull.last && last >= hull.first && (days & hull.days) !== 0) {
      report.advise(`ranges for ${target} overlap or are not in order: the later line wins`);
    }
    hull.first = Math.min(hull.first, first);
    hull.last = Math.max(hull.last, last);
    hull.days |= days;
  };
}
