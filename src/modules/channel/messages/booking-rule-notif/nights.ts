import { note } from "../../ota-error.ts";
import type { ReportContext } from "../../report.ts";
import { ALL_NIGHTS, type WeekdayRange } from "../../updates/update.ts";
import { type ParsedDates, toDayMask, toRange } from "../parts/dates.ts";

/** Returns the nights of a line's control. A control without dates covers all nights on its weekdays, and its rules must have dates. */
export function lineRange(dates: ParsedDates, spot: ReportContext): WeekdayRange | undefined {
  return hasDates(dates) ? toRange(dates, spot) : everyNight(dates, spot);
}

function hasDates({ start, end }: ParsedDates): boolean {
  return start !== undefined || end !== undefined;
}

function everyNight(dates: ParsedDates, spot: ReportContext): WeekdayRange | undefined {
  const days = toDayMask(dates, spot);
  return days === undefined ? undefined : { ...ALL_NIGHTS, days };
}

/**
 * Returns the nights that a rule and its line have in common. At least one of the two must have dates. Returns `undefined` after reporting
 * a fault.
 */
export function ruleNights(
  line: ParsedDates,
  rule: ParsedDates,
  { nights, ...spot }: ReportContext & { nights: WeekdayRange | undefined },
): WeekdayRange | undefined {
  const own = hasDates(rule) || !hasDates(line) ? toRange(rule, spot) : everyNight(rule, spot);
  if (!own || !nights) return undefined;
  const intersection = { first: Math.max(own.first, nights.first), last: Math.min(own.last, nights.last), days: own.days & nights.days };
  if (intersection.first <= intersection.last && intersection.days !== 0) {
    if (hasDates(rule) && hasDates(line) && (intersection.first > own.first || intersection.last < own.last))
      spot.report.warn(note("a BookingRule has nights outside its line's dates; those nights are unchanged"), spot.at);
    return intersection;
  }
  spot.report.warn(note("a BookingRule has no night in common with its line and changes nothing"), spot.at);
  return undefined;
}
