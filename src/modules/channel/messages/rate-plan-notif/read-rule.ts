import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import { fieldMissing, note } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { categoryIn, codeIn } from "../parts/attributes.ts";
import { adviseOfDuration, dateRangeOf, type DatesRead, daysOf, rangeOf, readDates } from "../parts/dates.ts";
import { refuseOtherBounds } from "../parts/other-names.ts";
import { readBookingWindow } from "../parts/restrictions.ts";
import type { Rule } from "./rate-plan.ts";

/** Reads `BookingRule`; `undefined` when the rule is not about a category. Its category is `Code`, or named as that of a rate. */
export function readRule(reading: Reading, planDates: DatesRead): Rule | undefined {
  const { attributes, report, at } = reading;
  const context = attributes.get("CodeContext")?.trim();
  const category = codeIn("Code", reading) ?? categoryIn(reading);
  if (context !== undefined && context.toUpperCase() !== "ROOMTYPE") {
    return void report.warn(note(`booking rules for CodeContext ${context} are not stored`), at);
  }
  if (context !== undefined && category === undefined) report.error(fieldMissing("Code"), at);
  const dates = { ...readDates(reading), duration: attributes.get("Duration") };
  refuseOtherBounds(category, dates, reading);
  const range = nightsOf(dates, planDates, reading);
  const rule: Rule = { at, category, range, restrictions: new Map(), arrival: undefined, departure: undefined };
  readBookingWindow(rule.restrictions, reading);
  return rule;
}

/** Those of the rule, else of its plan, whose ends may be open; the weekdays are the rule's in either case. */
function nightsOf(dates: DatesRead, planDates: DatesRead, reading: Reading): Rule["range"] {
  if (dates.start !== undefined || dates.end !== undefined) return rangeOf(dates, reading);
  adviseOfDuration(dates, reading.report);
  const days = daysOf(dates, reading);
  return days === undefined ? undefined : { ...dateRangeOf(planDates, reading), days };
}

/**
 * The allowed weekdays: those chosen, else all that are not named. Unlike the days of a range, there may be none.
 * `undefined`: attributes of which none is a day say nothing.
 */
export function allowedDays(reading: Reading): DayMask | undefined {
  const { attributes, report, at } = reading;
  const days = readDates(reading);
  for (const fault of days.bad ?? []) report.error(fault, at);
  if (days.bad || (days.named === 0 && attributes.length > 0)) return undefined;
  return days.chosen === 0 ? EVERY_DAY & ~days.named : days.chosen;
}

/** Whether an element names days and leaves some out. */
export function leavesDaysOut(reading: Reading): boolean {
  const { named, chosen } = readDates(reading);
  return named !== 0 && chosen !== EVERY_DAY;
}
