import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import { fieldMissing, invalidValue, note } from "../../ota-error.ts";
import { codeOf } from "../parts/control.ts";
import { type DatesRead, noDates, readDateAttribute, spanOf } from "../parts/dates.ts";
import { type Reading, readRestrictionStatus } from "../parts/restrictions.ts";
import type { Rule } from "./rate-plan.ts";

/** Reads `BookingRule`; answers nothing for a rule about something that is no category. */
export function readRule(reading: Reading, planDates: DatesRead): Rule | undefined {
  const { attributes, report, at } = reading;
  const context = attributes.get("CodeContext")?.trim();
  const category = codeOf("Code", attributes.get("Code") ?? "", { report, at });
  if (context !== undefined && context.toUpperCase() !== "ROOMTYPE") {
    return void report.warn(note(`booking rules for CodeContext ${context} are not stored`), at);
  }
  if (context !== undefined && category === undefined) report.error(fieldMissing("Code"), at);
  const dates = datesOf(reading, planDates);
  const undated = dates.start === undefined && dates.end === undefined;
  const span = undated ? undefined : spanOf(dates, report, at);
  const rule: Rule = { at, category, span, undated, restrictions: new Map(), arrival: undefined, departure: undefined };
  // The booking window stands on the rule; there is no status here.
  readRestrictionStatus(rule.restrictions, reading);
  return rule;
}

function datesOf({ attributes }: Reading, planDates: DatesRead): DatesRead {
  const dates = noDates();
  for (let index = 0; index < attributes.length; index++) readDateAttribute(dates, attributes.nameAt(index), attributes.valueAt(index));
  return dates.start === undefined && dates.end === undefined ? { ...planDates, named: 0, chosen: 0, bad: undefined } : dates;
}

/** Weekdays that are allowed. One named as allowed: the others are not. Unlike the days of a range, none may be. */
export function allowedDays({ attributes, report, at }: Reading): DayMask | undefined {
  const days = noDates();
  for (let index = 0; index < attributes.length; index++) readDateAttribute(days, attributes.nameAt(index), attributes.valueAt(index));
  if (days.bad !== undefined) return void report.error(invalidValue(days.bad, "a day of the week"), at);
  return days.chosen === 0 ? EVERY_DAY & ~days.named : days.chosen;
}
