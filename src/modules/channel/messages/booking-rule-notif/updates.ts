import type { Attribute } from "../../../../calendar/attributes.ts";
import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import { note, ruleBroken } from "../../ota-error.ts";
import type { SourceLocation, MessageReport } from "../../report.ts";
import type { UpdateTarget, Update } from "../../updates/update.ts";
import type { Control, OpenLine } from "../parts/control.ts";
import type { ParsedDates } from "../parts/dates.ts";
import { ruleNights } from "./nights.ts";
import type { ParsedRule } from "./rule.ts";

/** A `RuleMessage`. `at` is later set to the control's position. */
export type RuleLine = OpenLine & { start: SourceLocation; dates: ParsedDates; rules: ParsedRule[] };

/** Creates the same updates as `OTA_HotelAvailNotifRQ`, plus weekdays closed to arrival and departure. */
export function lineUpdates(line: RuleLine, report: MessageReport): Update[] {
  const { control } = line;
  return control ? line.rules.flatMap((rule) => ruleUpdates(rule, { ...line, control }, report)) : [];
}

function ruleUpdates(rule: ParsedRule, line: RuleLine & { control: Control }, report: MessageReport): Update[] {
  const { at, restrictions, arrival, departure } = rule;
  const nights = ruleNights(line.dates, rule.dates, { nights: line.nights, report, at });
  const target = ruleTarget(rule, line.control, report);
  const update: Update = {
    at,
    target,
    narrowedBy: [...line.narrowedBy, ...rule.narrowedBy],
    nights,
    set: restrictions,
    stays: restrictions,
  };
  if (restrictions.size === 0 && arrival === undefined && departure === undefined) {
    report.warn(note("a BookingRule without restrictions changes nothing"), at);
    return [{ ...update, nights: undefined }];
  }
  return [update, ...limitToWeekdays(update, "closedToArrival", arrival), ...limitToWeekdays(update, "closedToDeparture", departure)];
}

/** A rule must not name a category other than the one its line names, if any. */
function ruleTarget({ category, at }: ParsedRule, control: Control, report: MessageReport): UpdateTarget {
  if (category === undefined || category === control.category) return control;
  if (control.category === undefined) return { ...control, category };
  report.error(ruleBroken("A BookingRule must not have a category other than its line's"), at);
  return control;
}

/** Opens the allowed weekdays and closes the others. */
function limitToWeekdays(update: Update, attribute: Attribute, allowed: DayMask | undefined): Update[] {
  const { nights } = update;
  if (allowed === undefined || !nights) return [];
  const on = (days: DayMask, closed: 0 | 1): Update[] =>
    days === 0 ? [] : [{ ...update, nights: { ...nights, days }, set: new Map([[attribute, closed]]), stays: undefined }];
  return [...on(nights.days & allowed, 0), ...on(nights.days & EVERY_DAY & ~allowed, 1)];
}
