import { ADULT_CODE } from "../../../../calendar/amounts.ts";
import { LAST_MEAL_PLAN } from "../../../../calendar/meal-plans.ts";
import { isCurrency } from "../../../../calendar/money.ts";
import { MAX_GUESTS, MAX_STAY_NIGHTS } from "../../limits.ts";
import { fieldMissing, invalidCurrency, invalidGuests, invalidNumber, invalidWord, note, ruleBroken } from "../../ota-error.ts";
import type { ElementContext, ReportContext } from "../../report.ts";
import { type ParsedAmount, type ParsedExtra, NO_NARROWING } from "../../updates/update.ts";
import { type ParsedDates, newDates, toRange, readDateAttribute, refuseMisspelledDay } from "./dates.ts";
import { appendItem, type AmountDefaults, type ParsedRate, type RateDefaults } from "./rate.ts";
import { readCategory, readFlag, readNumber, parseInteger } from "./values.ts";

export function readRate(reading: ElementContext, defaults?: AmountDefaults): ParsedRate {
  const { attributes, report, at } = reading;
  const dates = newDates();
  let specificity = 0;
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    if (readDateAttribute(dates, name, attributes.valueAt(index))) continue;
    const restriction = restrictionLevel(name, attributes.valueAt(index));
    if (restriction > 0 || isClosing(name, attributes.valueAt(index))) report.warn(note(`${name} of a Rate is not stored`), at);
    else refuseMisspelledDay(name, reading);
    specificity = Math.max(specificity, restriction);
  }
  const category = readCategory(reading);
  const isDerived = warnIfDerived(reading);
  return {
    at,
    category,
    byInvCode: category !== undefined && !attributes.get("InvTypeCode")?.trim(),
    dates,
    range: undefined,
    stay: readUnitNights(reading),
    ...readAmountDefaults(reading, defaults),
    amounts: [],
    extras: [],
    isFaulty: false,
    isDerived,
    perPerson: readChargeBasis(reading),
    mealPlan: undefined,
    narrowedBy: NO_NARROWING,
    specificity,
  };
}

function isClosing(name: string, value: string): boolean {
  return name === "Status" && value.trim().toLowerCase() !== "open";
}

const NO_DEFAULTS: AmountDefaults = { currency: undefined, decimalPlaces: undefined, age: ADULT_CODE };

export function newRateDefaults(): RateDefaults {
  return { ...NO_DEFAULTS, perPerson: undefined };
}

/** Reads the terms that an element sets for the amounts inside it. They override terms from outer elements. */
export function readRateDefaults(terms: RateDefaults, reading: ElementContext): void {
  Object.assign(terms, readAmountDefaults(reading, terms));
  terms.perPerson = readChargeBasis(reading) ?? terms.perPerson;
}

export function readAmountDefaults(reading: ElementContext, defaults = NO_DEFAULTS): AmountDefaults {
  return {
    currency: readCurrency(reading) ?? defaults.currency,
    decimalPlaces: readDecimalPlaces(reading) ?? defaults.decimalPlaces,
    age: readAge(reading, defaults.age),
  };
}

/** Sets a rate's nights. Uses the line's dates or weekday flags if the rate has none. */
export function applyLineDates(rate: ParsedRate, lineDates: ParsedDates, line: ReportContext): void {
  const { start, end, flaggedDays } = rate.dates;
  const isDated = start !== undefined || end !== undefined || flaggedDays !== 0;
  rate.range = toRange(mergeDates(rate.dates, lineDates), isDated ? { report: line.report, at: rate.at } : line);
}

/** Returns how strongly an attribute restricts its rate. */
function restrictionLevel(name: string, value: string): number {
  if (name === "MaxLOS" || name === "StayOverDate") return 1;
  const nights = name === "MinLOS" ? (parseInteger(value, MAX_STAY_NIGHTS) ?? 1) : 0;
  return nights > 1 ? nights : 0;
}

function mergeDates(own: ParsedDates, line: ParsedDates): ParsedDates {
  const dates = own.start === undefined && own.end === undefined ? line : own;
  const days = own.flaggedDays === 0 ? line : own;
  return {
    start: dates.start,
    end: dates.end,
    duration: dates.duration,
    flaggedDays: days.flaggedDays,
    trueDays: days.trueDays,
    dayFaults: days.dayFaults,
  };
}

/** Returns how many nights a rate is for. */
export function readUnitNights({ attributes, report, at }: ElementContext): number {
  const unit = attributes.get("RateTimeUnit");
  const multiplier = attributes.get("UnitMultiplier");
  if (unit !== undefined && unit.trim().toLowerCase() !== "day") report.error(invalidWord(unit, "RateTimeUnit", "Day"), at);
  const nights = multiplier === undefined ? 1 : parseInteger(multiplier, MAX_STAY_NIGHTS);
  if (!nights) report.error(invalidNumber(multiplier!, "UnitMultiplier", `1 to ${MAX_STAY_NIGHTS}`), at);
  return nights || 1;
}

export function readCurrency({ attributes, report, at }: ElementContext): string | undefined {
  const code = attributes.get("CurrencyCode")?.trim();
  if (code === undefined || isCurrency(code)) return code;
  report.error(invalidCurrency(code), at);
  return undefined;
}

/** Reads `BaseByGuestAmt`. If there is no amount, the error says that `wanted` is missing. */
export function readBaseAmount(rate: ParsedRate, reading: ElementContext, wanted = "AmountAfterTax or AmountBeforeTax"): void {
  const { attributes, report, at } = reading;
  const basis = rate.amounts.length === 0 ? undefined : rate.perPerson;
  const guests = readGuests(reading);
  const age = readAge(reading, rate.age);
  const decimalPlaces = readDecimalPlaces(reading) ?? rate.decimalPlaces;
  const sharedFields = {
    at,
    guests,
    age,
    ...readAgeRange("BaseByGuestAmt", rate, reading),
    currency: readCurrency(reading),
    decimalPlaces,
  };
  const before = attributes.get("AmountBeforeTax");
  const after = attributes.get("AmountAfterTax");
  if (before !== undefined)
    rate.amounts = appendItem(rate.amounts, { ...sharedFields, tax: "before", field: "AmountBeforeTax", text: before });
  if (after !== undefined) rate.amounts = appendItem(rate.amounts, { ...sharedFields, tax: "after", field: "AmountAfterTax", text: after });
  if (before === undefined && after === undefined) reportMissing(wanted, rate, reading);
  const type = attributes.get("Type")?.trim();
  if (type !== undefined) rate.perPerson = isPerPerson(type) ?? rate.perPerson;
  if (type && type !== DAILY_CHARGE_TYPE && isPerPerson(type) === undefined)
    report.warn(note(`charge type ${type} of an amount is not stored`), at);
  if (basis !== undefined && rate.perPerson !== basis) report.error(ruleBroken("A Rate must not mix amounts per person and per room"), at);
}

function reportMissing(amount: string, rate: ParsedRate, { report, at }: ElementContext): void {
  rate.isFaulty = true;
  report.error(fieldMissing(amount), at);
}

/** Charge types in OpenTravel code list CHG, and whether they are per person. Types 19 and 21 are per night. */
const CHARGE_BASES: ReadonlyMap<string, boolean> = new Map([
  ["7", true],
  ["21", true],
  ["25", false],
  ["19", false],
]);
export const OPENTRAVEL_CHARGE_BASES: readonly string[] = [...CHARGE_BASES.keys()];
const DAILY_CHARGE_TYPE = "1";

export function isPerPerson(type: string): boolean | undefined {
  return CHARGE_BASES.get(type);
}

/** Reads a rate's or rate plan's `ChargeTypeCode`, and returns whether its amounts are per person. */
export function readChargeBasis({ attributes, report, at }: ElementContext): boolean | undefined {
  const type = attributes.get("ChargeTypeCode")?.trim();
  const isKnown = !type || type === DAILY_CHARGE_TYPE || isPerPerson(type) !== undefined;
  if (!isKnown) report.warn(note(`charge type ${type} of an amount is not stored`), at);
  return type ? isPerPerson(type) : undefined;
}

const ADJUSTMENT_ATTRIBUTES = ["AdjustedPercentage", "AdjustedAmount"] as const;

/** Returns whether a rate's or rate plan's amounts are derived from a different plan's, and warns if they are. */
export function warnIfDerived({ attributes, report, at }: ElementContext): boolean {
  const names = [...ADJUSTMENT_ATTRIBUTES, "BaseRatePlanCode"].filter((name) => attributes.get(name)?.trim());
  if (names.length > 0) report.warn(note(`derived amounts are not computed: ${names.join(" and ")} changed no amount`), at);
  return names.length > 0;
}

function readGuests({ attributes, report, at }: ElementContext): number {
  const text = attributes.get("NumberOfGuests");
  const guests = text === undefined ? 0 : parseInteger(text, MAX_GUESTS);
  if (guests === undefined || (text !== undefined && guests === 0)) report.error(invalidGuests(text!), at);
  return guests ?? 0;
}

/** The last code in OpenTravel code list AQC since 2011: 19, junior. */
const LAST_AGE_CODE = 19;

function readAge({ attributes, report, at }: ElementContext, standard: number): number {
  const text = attributes.get("AgeQualifyingCode");
  const age = text === undefined ? standard : parseInteger(text, LAST_AGE_CODE);
  if (!age) report.error(invalidWord(text!, "AgeQualifyingCode", `1 to ${LAST_AGE_CODE}`), at);
  return age || ADULT_CODE;
}

function readAgeRange(element: string, rate: ParsedRate, reading: ElementContext): Pick<ParsedAmount, "minAge" | "maxAge"> {
  const unit = reading.attributes.get("AgeTimeUnit")?.trim() || "Year";
  if (!/^years?$/i.test(unit)) reading.report.error(invalidWord(unit, "AgeTimeUnit", "Year"), reading.at);
  const minAge = readNumber("MinAge", { max: MAX_STAY_NIGHTS }, reading);
  const maxAge = readNumber("MaxAge", { max: MAX_STAY_NIGHTS }, reading);
  if (minAge !== undefined && maxAge !== undefined && minAge > maxAge)
    reading.report.warn(note(`${element} has MinAge ${minAge} above MaxAge ${maxAge}`), reading.at);
  if (minAge === undefined && maxAge === undefined) limitToBucket(rate, reading);
  return { minAge, maxAge };
}

/** Adds `AgeBucket` as a limit, because an age group without ages can't be stored. */
function limitToBucket(rate: ParsedRate, { attributes, at: { offset } }: ElementContext): void {
  const value = attributes.get("AgeBucket")?.trim();
  if (value) rate.narrowedBy = appendItem(rate.narrowedBy, { name: "AgeBucket", value, offset });
}

function readDecimalPlaces(reading: ElementContext): number | undefined {
  return readNumber("DecimalPlaces", { max: 6 }, reading);
}

export function readExtra(rate: ParsedRate, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  const amounts = readExtraAmounts(reading);
  const percent = attributes.get("Percent");
  if (percent !== undefined) report.warn(note("Percent of AdditionalGuestAmount is not stored"), at);
  if (amounts.length === 0 && percent !== undefined) return;
  if (amounts.length === 0) return reportMissing("Amount", rate, reading);
  const sharedFields: Omit<ParsedExtra, keyof ExtraAmount> = {
    at,
    guests: 0,
    age: readAge(reading, rate.age),
    ...readAgeRange("AdditionalGuestAmount", rate, reading),
    currency: readCurrency(reading),
    decimalPlaces: readDecimalPlaces(reading) ?? rate.decimalPlaces,
    maxGuests: readNumber("MaxAdditionalGuests", { max: MAX_STAY_NIGHTS }, reading),
  };
  rate.extras.push(...amounts.map((amount) => ({ ...sharedFields, ...amount })));
}

type ExtraAmount = Pick<ParsedExtra, "tax" | "field" | "text">;

/** Returns the amounts of an additional guest. `Amount` is after tax unless `TaxInclusive` is false. */
function readExtraAmounts(reading: ElementContext): ExtraAmount[] {
  const readAmounts = (field: string, tax: ExtraAmount["tax"]): ExtraAmount[] => {
    const text = reading.attributes.get(field);
    return text === undefined ? [] : [{ tax, field, text }];
  };
  const amount = readAmounts("Amount", readFlag("TaxInclusive", reading) === false ? "before" : "after");
  const taxedAmounts = [...readAmounts("AmountAfterTax", "after"), ...readAmounts("AmountBeforeTax", "before")];
  return [...amount, ...taxedAmounts.filter(({ tax }) => tax !== amount[0]?.tax)];
}

/** Returns the first code in `MealsIncluded` (OpenTravel code list MPT), or the room-only code if `MealPlanIndicator` is false. */
export function readMealPlan(reading: ElementContext): string | undefined {
  const { attributes, report, at } = reading;
  const code = attributes.get("MealPlanCodes")?.trim().split(/\s+/)[0];
  const defaultMeals = readFlag("MealPlanIndicator", reading) === false ? ROOM_ONLY_CODE : undefined;
  if (!code) return readMealFlags(MEAL_ATTRIBUTES.map((meal) => readFlag(meal, reading))) ?? defaultMeals;
  const mealPlan = parseInteger(code, LAST_MEAL_PLAN);
  if (!mealPlan) report.error(invalidWord(code, "MealPlanCodes", `1 to ${LAST_MEAL_PLAN}`), at);
  return mealPlan ? (defaultMeals ?? String(mealPlan)) : undefined;
}

const MEAL_ATTRIBUTES = ["Breakfast", "Lunch", "Dinner"] as const;
const ROOM_ONLY_CODE = "14";

const MEAL_PLANS_BY_FLAGS: Readonly<Record<string, string>> = {
  "---": ROOM_ONLY_CODE,
  "B--": "3",
  "-L-": "21",
  "--D": "22",
  "BL-": "23",
  "-LD": "24",
  "B-D": "12",
  BLD: "10",
};

function readMealFlags(flags: readonly (boolean | undefined)[]): string | undefined {
  if (flags.every((flag) => flag === undefined)) return undefined;
  const letters = flags.map((flag, index) => (flag === true ? MEAL_ATTRIBUTES[index]!.charAt(0) : "-"));
  return MEAL_PLANS_BY_FLAGS[letters.join("")];
}
