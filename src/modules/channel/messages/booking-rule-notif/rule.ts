import type { DayMask } from "../../../../calendar/operation.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import { fieldMissing, partInWrongPlace, note, notSupportedValue } from "../../ota-error.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { SourceLocation, ElementContext } from "../../report.ts";
import { NO_NARROWING } from "../../updates/update.ts";
import { refuseOtherBounds } from "../parts/control.ts";
import { type ParsedDates, readDates } from "../parts/dates.ts";
import {
  readBookingWindow,
  readLengthOfStay,
  readLengthsOfStay,
  readPattern,
  readRestrictionStatus,
  Restrictions,
} from "../parts/restrictions.ts";
import { readCategory, readCode } from "../parts/values.ts";
import { allowedDays, excludesDays } from "../rate-plan-notif/read-plan-rate.ts";

export type ParsedRule = {
  at: SourceLocation;
  category: string | undefined;
  dates: ParsedDates;
  restrictions: Restrictions;
  /** Weekdays on which guests may arrive or depart. */
  arrival: DayMask | undefined;
  departure: DayMask | undefined;
  narrowedBy: NarrowingAttribute[];
};

export function readRule(reading: ElementContext, profile: Profile): ParsedRule {
  const { attributes, at } = reading;
  const rule: ParsedRule = {
    at,
    category: readRuleCategory(reading),
    dates: { ...readDates(reading), duration: attributes.get("Duration") },
    restrictions: new Restrictions(profile),
    arrival: undefined,
    departure: undefined,
    narrowedBy: NO_NARROWING,
  };
  refuseOtherBounds(rule.category, rule.dates, reading);
  readBookingWindow(rule.restrictions, reading);
  return rule;
}

/**
 * Reads a rule's category. `Code` is a category only if `CodeContext` is `ROOMTYPE`. Refuses any other context, because the rule would
 * otherwise apply too broadly.
 */
function readRuleCategory(reading: ElementContext): string | undefined {
  const { attributes, report, at } = reading;
  const context = attributes.get("CodeContext")?.trim();
  const category = readCode("Code", reading) ?? readCategory(reading);
  if (context !== undefined && context.toUpperCase() !== "ROOMTYPE")
    report.error(notSupportedValue(context, "CodeContext", "ROOMTYPE"), at);
  else if (context !== undefined && category === undefined) report.error(fieldMissing("Code"), at);
  return category;
}

export function openElementsInRule(rule: ParsedRule, name: string, reading: ElementContext): void {
  const { restrictions } = rule;
  const { report, at } = reading;
  if (name === "RestrictionStatus") readRestrictionStatus(restrictions, reading);
  else if (name === "LengthsOfStay") readLengthsOfStay(restrictions, reading);
  else if (name === "LengthOfStay") readLengthOfStay(restrictions, reading);
  else if (name === "LOS_Pattern") readPattern(restrictions, reading);
  else if (name === "ArrivalDaysOfWeek") rule.arrival = allowedDays(reading);
  else if (name === "DepartureDaysOfWeek") rule.departure = allowedDays(reading);
  else if (name === "UniqueID") report.ignore(name);
  else if (!name.endsWith("DaysOfWeek")) {
    if (name !== "DOW_Restrictions") report.warn(partInWrongPlace(name), at);
  } else if (excludesDays(reading)) report.warn(note(`${name} is not stored`), at);
}
