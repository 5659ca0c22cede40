import { type DayMask, EVERY_DAY } from "../../../../calendar/operation.ts";
import { MAX_STAY_NIGHTS } from "../../limits.ts";
import { fieldMissing, invalidWord, note } from "../../ota-error.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { ElementContext } from "../../report.ts";
import { NO_NARROWING } from "../../updates/update.ts";
import { refuseOtherBounds } from "../parts/control.ts";
import { type ParsedDates, adviseOfDuration, toDateRange, toDayMask, toRange, readDates } from "../parts/dates.ts";
import type { ParsedRate, RateDefaults } from "../parts/rate.ts";
import {
  readChargeBasis,
  applyLineDates,
  isPerPerson,
  readBaseAmount,
  readRate,
  readAmountDefaults,
  readUnitNights,
  warnIfDerived,
} from "../parts/read-rate.ts";
import { readBookingWindow, Restrictions } from "../parts/restrictions.ts";
import { parseInteger, readCategory, readCode } from "../parts/values.ts";
import type { StaticRate, PlanRule } from "./rate-plan.ts";

const BOUND_ATTRIBUTES = ["Start", "End", "InvTypeCode", "InvCode"] as const;

export function hasNoBounds({ attributes }: ElementContext): boolean {
  return BOUND_ATTRIBUTES.every((name) => attributes.get(name) === undefined);
}

export function readStaticRate(reading: ElementContext, terms: RateDefaults): StaticRate {
  const stay = readStayLength(reading);
  warnIfDerived(reading);
  return {
    at: reading.at,
    perPerson: readChargeBasis(reading) ?? terms.perPerson,
    hasBasis: false,
    hasMixedBases: false,
    hasAmounts: false,
    stay,
    mealPlan: undefined,
    ...readAmountDefaults(reading, terms),
  };
}

type InheritedTerms = RateDefaults & Partial<Pick<StaticRate, "mealPlan" | "stay">>;

/** Reads a dated `Rate`. It inherits from the static rate, or from `Rates` if there is none. Its dates default to the plan's. */
export function readDatedRate(reading: ElementContext, inherited: InheritedTerms, planDates: ParsedDates): ParsedRate {
  const { perPerson, mealPlan, stay } = inherited;
  const parsedRate = readRate(reading, inherited);
  const rate = { ...parsedRate, stay: readStayLength(reading) ?? stay, perPerson: parsedRate.perPerson ?? perPerson, mealPlan };
  refuseOtherBounds(rate.category, rate.dates, reading);
  applyLineDates(rate, planDates, reading);
  return rate;
}

/** Returns the length of stay that the amounts are for, given as `Duration="P3N"` or as a `UnitMultiplier` in days. */
function readStayLength(reading: ElementContext): number | undefined {
  const { attributes, report, at } = reading;
  const duration = attributes.get("Duration");
  const units = readUnitNights(reading);
  if (duration === undefined) return attributes.get("UnitMultiplier") === undefined ? undefined : units;
  const nights = parseInteger(/^P(\d+)N$/.exec(duration.trim())?.[1] ?? "", MAX_STAY_NIGHTS) || undefined;
  if (nights === undefined) report.error(invalidWord(duration, "Duration", `P1N to P${MAX_STAY_NIGHTS}N`), at);
  return nights;
}

export const ALPINEBITS_CHARGE_BASES: readonly string[] = ["7", "25"];

/** Reads the static rate's `BaseByGuestAmt`, whose `Type` must be one of `bases`. */
export function readBasis(rate: StaticRate, reading: ElementContext, bases: readonly string[]): void {
  const { attributes, report, at } = reading;
  const { currency, decimalPlaces } = readAmountDefaults(reading, rate);
  Object.assign(rate, { currency, decimalPlaces });
  const type = attributes.get("Type")?.trim();
  rate.hasAmounts ||= attributes.get("AmountAfterTax") !== undefined || attributes.get("AmountBeforeTax") !== undefined;
  if (type === undefined) return;
  if (!bases.includes(type)) return report.error(invalidWord(type, "Type", bases.join(", ")), at);
  const perPerson = isPerPerson(type);
  rate.hasMixedBases ||= rate.hasBasis && rate.perPerson !== perPerson;
  rate.hasBasis = true;
  rate.perPerson = perPerson;
}

/** Reads an AlpineBits amount, which must be after tax and above 0. */
export function readAlpineBitsAmount(rate: ParsedRate, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  const after = attributes.get("AmountAfterTax");
  readBaseAmount(rate, reading, "AmountAfterTax");
  if (after !== undefined && Number(after) === 0) report.error(invalidWord(after, "AmountAfterTax", "above 0"), at);
  if (after === undefined && attributes.get("AmountBeforeTax") !== undefined) report.error(fieldMissing("AmountAfterTax"), at);
}

/** Reads a `BookingRule`. Returns `undefined` if its code is not a category's. */
export function readRule(reading: ElementContext, planDates: ParsedDates, profile: Profile): PlanRule | undefined {
  const { attributes, report, at } = reading;
  const context = attributes.get("CodeContext")?.trim();
  const category = readCode("Code", reading) ?? readCategory(reading);
  if (context !== undefined && context.toUpperCase() !== "ROOMTYPE") {
    return void report.warn(note(`booking rules for CodeContext ${context} are not stored`), at);
  }
  if (context !== undefined && category === undefined) report.error(fieldMissing("Code"), at);
  const dates = { ...readDates(reading), duration: attributes.get("Duration") };
  refuseOtherBounds(category, dates, reading);
  const range = ruleNights(dates, planDates, reading);
  const restrictions = new Restrictions(profile);
  const rule: PlanRule = { at, category, range, restrictions, arrival: undefined, departure: undefined, narrowedBy: NO_NARROWING };
  readBookingWindow(rule.restrictions, reading);
  return rule;
}

/** Returns the rule's dates, or the plan's if it has none, with the rule's weekdays. */
function ruleNights(dates: ParsedDates, planDates: ParsedDates, reading: ElementContext): PlanRule["range"] {
  if (dates.start !== undefined || dates.end !== undefined) return toRange(dates, reading);
  adviseOfDuration(dates, reading.report);
  const days = toDayMask(dates, reading);
  return days === undefined ? undefined : { ...toDateRange(planDates, reading), days };
}

/**
 * Returns the weekdays set to true or, if there are none, all weekdays without a flag. May return an empty mask. Returns `undefined` if
 * there are attributes but no weekday flags.
 */
export function allowedDays(reading: ElementContext): DayMask | undefined {
  const { attributes, report, at } = reading;
  const days = readDates(reading);
  for (const fault of days.dayFaults) report.error(fault, at);
  if (days.dayFaults.length > 0 || (days.flaggedDays === 0 && attributes.length > 0)) return undefined;
  return days.trueDays === 0 ? EVERY_DAY & ~days.flaggedDays : days.trueDays;
}

export function excludesDays(reading: ElementContext): boolean {
  const { flaggedDays, trueDays } = readDates(reading);
  return flaggedDays !== 0 && trueDays !== EVERY_DAY;
}
