import { ADULT } from "../../../../calendar/amounts.ts";
import { isCurrency } from "../../../../calendar/money.ts";
import { MAX_GUESTS, MAX_STAY } from "../../limits.ts";
import { fieldMissing, invalidCurrency, invalidGuests, invalidNumber, invalidWord, note, ruleBroken } from "../../ota-error.ts";
import type { Reading, Spot } from "../../report.ts";
import type { ExtraRead } from "../../updates/update.ts";
import { categoryIn, flagIn, numberIn } from "./attributes.ts";
import { type DatesRead, noDates, rangeOf, readDateAttribute, warnOfDay } from "./dates.ts";
import { added } from "./lists.ts";
import { parseWhole } from "./parse.ts";
import type { AmountTerms, RateRead } from "./rate.ts";

/** Reads `Rate`; `dateRate` adds its nights, from the line. What it does not say of its amounts is as in `otherwise`. */
export function readRate(reading: Reading, otherwise?: AmountTerms): RateRead {
  const { attributes, report, at } = reading;
  const own = noDates();
  let narrowness = 0;
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    if (readDateAttribute(own, name, attributes.valueAt(index))) continue;
    const narrowing = narrowingOf(name, attributes.valueAt(index));
    if (narrowing > 0 || isClosing(name, attributes.valueAt(index))) report.warn(note(`${name} of a Rate is not stored`), at);
    else warnOfDay(name, reading);
    narrowness = Math.max(narrowness, narrowing);
  }
  const category = categoryIn(reading);
  return {
    at,
    category,
    byInvCode: category !== undefined && !attributes.get("InvTypeCode")?.trim(),
    dates: own,
    range: undefined,
    stay: unitNights(reading),
    ...termsOf(reading, otherwise),
    amounts: [],
    extras: [],
    isFaulty: false,
    perPerson: undefined,
    mealPlan: undefined,
    narrowness,
  };
}

/** Whether an attribute says that the rate is not to be had. */
function isClosing(name: string, value: string): boolean {
  return name === "Status" && value.trim().toLowerCase() !== "open";
}

const NO_TERMS: AmountTerms = { currency: undefined, decimalPlaces: undefined, age: ADULT };

/** What an element says of amounts; the rest is as in `otherwise`. */
export function termsOf(reading: Reading, otherwise = NO_TERMS): AmountTerms {
  return {
    currency: currencyOf(reading) ?? otherwise.currency,
    decimalPlaces: decimalPlacesOf(reading) ?? otherwise.decimalPlaces,
    age: ageOf(reading, otherwise.age),
  };
}

/** Finds the nights of a rate. Its own dates win over those of its line, and so do its day flags; `line` is the line's spot. */
export function dateRate(rate: RateRead, lineDates: DatesRead, line: Spot): void {
  const { start, end, named } = rate.dates;
  const isDated = start !== undefined || end !== undefined || named !== 0;
  rate.range = rangeOf(mergeDates(rate.dates, lineDates), isDated ? { report: line.report, at: rate.at } : line);
}

/** How an attribute limits the price to some stays, as `narrowness`; 0: not at all. */
function narrowingOf(name: string, value: string): number {
  if (name === "MaxLOS" || name === "StayOverDate") return 1;
  const nights = name === "MinLOS" ? (parseWhole(value, MAX_STAY) ?? 1) : 0;
  return nights > 1 ? nights : 0;
}

/** The dates of a rate; it takes dates or day flags that it lacks from its line. */
function mergeDates(own: DatesRead, line: DatesRead): DatesRead {
  const dates = own.start === undefined && own.end === undefined ? line : own;
  const days = own.named === 0 ? line : own;
  return { start: dates.start, end: dates.end, duration: dates.duration, named: days.named, chosen: days.chosen, bad: days.bad };
}

/** The nights of a stay in the unit of a rate, 1 without a unit; reports its faults. */
export function unitNights({ attributes, report, at }: Reading): number {
  const unit = attributes.get("RateTimeUnit");
  const multiplier = attributes.get("UnitMultiplier");
  if (unit !== undefined && unit.trim().toLowerCase() !== "day") report.error(invalidWord(unit, "RateTimeUnit", "Day"), at);
  const nights = multiplier === undefined ? 1 : parseWhole(multiplier, MAX_STAY);
  if (!nights) report.error(invalidNumber(multiplier!, "UnitMultiplier", `1 to ${MAX_STAY}`), at);
  return nights || 1;
}

/** `CurrencyCode` of an element; reports an unknown currency. */
export function currencyOf({ attributes, report, at }: Reading): string | undefined {
  const code = attributes.get("CurrencyCode")?.trim();
  if (code === undefined || isCurrency(code)) return code;
  report.error(invalidCurrency(code), at);
  return undefined;
}

/** Reads `BaseByGuestAmt`: an amount before tax, after tax or both; the error without one names `wanted`. Without guests it is for the room. */
export function readBaseAmount(rate: RateRead, reading: Reading, wanted = "AmountAfterTax or AmountBeforeTax"): void {
  const { attributes, report, at } = reading;
  const basis = rate.amounts.length === 0 ? undefined : rate.perPerson;
  const guests = guestsOf(reading);
  const age = ageOf(reading, rate.age);
  const decimalPlaces = decimalPlacesOf(reading) ?? rate.decimalPlaces;
  const shared = { at, guests, age, currency: currencyOf(reading), decimalPlaces };
  const before = attributes.get("AmountBeforeTax");
  const after = attributes.get("AmountAfterTax");
  if (before !== undefined) rate.amounts = added(rate.amounts, { ...shared, tax: "before", field: "AmountBeforeTax", text: before });
  if (after !== undefined) rate.amounts = added(rate.amounts, { ...shared, tax: "after", field: "AmountAfterTax", text: after });
  if (before === undefined && after === undefined) refuseWithout(wanted, rate, reading);
  const type = attributes.get("Type")?.trim();
  if (type !== undefined) rate.perPerson = isPerPerson(type) ?? rate.perPerson;
  if (type && type !== DAILY && isPerPerson(type) === undefined) report.warn(note(`charge type ${type} of an amount is not stored`), at);
  if (basis !== undefined && rate.perPerson !== basis) report.error(ruleBroken("A Rate mixes amounts per person and per room"), at);
}

function refuseWithout(amount: string, rate: RateRead, { report, at }: Reading): void {
  rate.isFaulty = true;
  report.error(fieldMissing(amount), at);
}

/** OpenTravel code list CHG: 7 and 21 (by night) are per person, 25 and 19 (by night) per room. */
const BASES: ReadonlyMap<string, boolean> = new Map([
  ["7", true],
  ["21", true],
  ["25", false],
  ["19", false],
]);
/** The charge types that tell whether amounts are per person. */
export const OPENTRAVEL_BASES: readonly string[] = [...BASES.keys()];
const DAILY = "1";

/** Whether a charge type is per person (true) or per room (false); `undefined`: neither. */
export function isPerPerson(type: string): boolean | undefined {
  return BASES.get(type);
}

function guestsOf({ attributes, report, at }: Reading): number {
  const text = attributes.get("NumberOfGuests");
  const guests = text === undefined ? 0 : parseWhole(text, MAX_GUESTS);
  if (guests === undefined || (text !== undefined && guests === 0)) report.error(invalidGuests(text!), at);
  return guests ?? 0;
}

/** OpenTravel code list AQC ends with 19, junior, since 2011. */
const LAST_AGE_CODE = 19;

function ageOf({ attributes, report, at }: Reading, otherwise: number): number {
  const text = attributes.get("AgeQualifyingCode");
  const age = text === undefined ? otherwise : parseWhole(text, LAST_AGE_CODE);
  if (!age) report.error(invalidWord(text!, "AgeQualifyingCode", `1 to ${LAST_AGE_CODE}`), at);
  return age || ADULT;
}

/** Refuses a broken number, which would make the amount a hundred times too large. */
function decimalPlacesOf(reading: Reading): number | undefined {
  return numberIn("DecimalPlaces", DECIMAL_PLACES, reading);
}

const DECIMAL_PLACES = { most: 6 };

/** Reads `AdditionalGuestAmount`: what one more guest of an age pays, before tax, after tax or both. */
export function readExtra(rate: RateRead, reading: Reading): void {
  const { attributes, report, at } = reading;
  const amounts = extraAmounts(reading);
  const percent = attributes.get("Percent");
  if (percent !== undefined) report.warn(note("Percent of AdditionalGuestAmount is not stored"), at);
  if (amounts.length === 0 && percent !== undefined) return;
  if (amounts.length === 0) return refuseWithout("Amount", rate, reading);
  const [minAge, maxAge, maxGuests] = ["MinAge", "MaxAge", "MaxAdditionalGuests"].map((name) =>
    numberIn(name, { most: MAX_STAY }, reading),
  );
  if (minAge !== undefined && maxAge !== undefined && minAge > maxAge)
    report.warn(note(`nobody is of an age from ${minAge} to ${maxAge}, as AdditionalGuestAmount says`), at);
  const shared: Omit<ExtraRead, keyof ExtraAmount> = {
    at,
    guests: 0,
    age: ageOf(reading, rate.age),
    currency: currencyOf(reading),
    decimalPlaces: decimalPlacesOf(reading) ?? rate.decimalPlaces,
    minAge,
    maxAge,
    maxGuests,
  };
  rate.extras.push(...amounts.map((amount) => ({ ...shared, ...amount })));
}

type ExtraAmount = Pick<ExtraRead, "tax" | "field" | "text">;

/** `Amount` is after tax unless `TaxInclusive` denies it; the other names tell their tax. */
function extraAmounts(reading: Reading): ExtraAmount[] {
  const named = (field: string, tax: ExtraAmount["tax"]): ExtraAmount[] => {
    const text = reading.attributes.get(field);
    return text === undefined ? [] : [{ tax, field, text }];
  };
  const amount = named("Amount", flagIn("TaxInclusive", reading) === false ? "before" : "after");
  const others = [...named("AmountAfterTax", "after"), ...named("AmountBeforeTax", "before")];
  return [...amount, ...others.filter(({ tax }) => tax !== amount[0]?.tax)];
}
