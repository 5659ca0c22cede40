import { ADULT_CODE } from "../../../../calendar/amounts.ts";
import type { Attribute, AttributeValue } from "../../../../calendar/attributes.ts";
import { isCurrency } from "../../../../calendar/money.ts";
import { STANDARD_DAYS } from "../../elements/weekdays.ts";
import { MAX_ROOM_COUNT, MAX_GUESTS, MAX_STAY_NIGHTS } from "../../limits.ts";
import { fieldMissing, invalidCurrency, invalidWord } from "../../ota-error.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { ElementContext } from "../../report.ts";
import type { ParsedAmount, WeekdayRange, Rate } from "../../updates/update.ts";
import { newDates, toRange, readDateAttribute } from "../parts/dates.ts";
import { readFlag, readNumber } from "../parts/values.ts";

type AttributeChanges = Map<Attribute, AttributeValue | undefined>;

const DAY_ATTRIBUTES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((name, index) => [name, STANDARD_DAYS[index]!] as const);

/** Reads a date range. If no weekday flag is true, the range includes all days whose flag isn't false. */
export function readDateRange(reading: ElementContext): WeekdayRange | undefined {
  const { attributes, report, at } = reading;
  const dates = { ...newDates(), names: ["from", "to"] as const };
  dates.start = attributes.get("from");
  dates.end = attributes.get("to");
  if (dates.end === undefined) report.error(fieldMissing("to"), at);
  for (const [name, day] of DAY_ATTRIBUTES) {
    const flagText = attributes.get(name);
    if (flagText !== undefined) readDateAttribute(dates, day, flagText);
  }
  return toRange(dates, reading);
}

export function readClosed(changes: AttributeChanges, reading: ElementContext): void {
  const isClosed = readFlag("closed", reading);
  if (isClosed !== undefined) changes.set("stopSell", Number(isClosed));
}

export function readInventory(changes: AttributeChanges, reading: ElementContext): void {
  const rooms = readNumber("totalInventoryAvailable", { max: MAX_ROOM_COUNT }, reading);
  if (rooms !== undefined) changes.set("available", rooms).set("threshold", undefined).set("derived", undefined);
}

export function readRestrictions(changes: AttributeChanges, reading: ElementContext, { expediaStays }: Profile): void {
  const isThrough = expediaStays === "through";
  const min = readNumber("minLOS", { max: MAX_STAY_NIGHTS }, reading);
  const max = readNumber("maxLOS", { max: MAX_STAY_NIGHTS }, reading);
  if (min !== undefined) changes.set(isThrough ? "minStayThrough" : "minStayArrival", min <= 1 ? undefined : min);
  if (max !== undefined) changes.set(isThrough ? "maxStayThrough" : "maxStayArrival", max === 0 ? undefined : max);
  const isClosedToArrival = readFlag("closedToArrival", reading);
  const isClosedToDeparture = readFlag("closedToDeparture", reading);
  if (isClosedToArrival !== undefined) changes.set("closedToArrival", Number(isClosedToArrival));
  if (isClosedToDeparture !== undefined) changes.set("closedToDeparture", Number(isClosedToDeparture));
}

/** Attributes of the enclosing `Rate`. */
export type EnclosedAmountDefaults = { currency: string | undefined; stay: number };

export function readEnclosedAmountDefaults(reading: ElementContext): EnclosedAmountDefaults {
  const { attributes, report, at } = reading;
  const currency = attributes.get("currency")?.trim();
  if (currency !== undefined && !isCurrency(currency)) report.error(invalidCurrency(currency), at);
  return { currency, stay: readLengthOfStay(reading) ?? 1 };
}

/** Reads an amount. Rates by length of stay are sent per night but stored as the price of the whole stay. */
export function readAmount(name: string, reading: ElementContext, defaults: EnclosedAmountDefaults): Rate {
  const { attributes, report, at } = reading;
  const stay = readLengthOfStay(reading) ?? defaults.stay;
  const text = attributes.get("rate");
  if (text === undefined) report.error(fieldMissing("rate"), at);
  const guests = name === "PerOccupancy" ? readOccupancy(reading) : 0;
  const sharedFields = { at, guests, age: ADULT_CODE, minAge: undefined, maxAge: undefined, currency: undefined, decimalPlaces: undefined };
  const amount: ParsedAmount = { ...sharedFields, tax: "property", field: "rate", text: multiplyDecimal(text ?? "0", stay) };
  return { at, stay, amounts: [amount], extras: [], currency: defaults.currency, perPerson: name === "PerPerson", mealPlan: undefined };
}

function readLengthOfStay(reading: ElementContext): number | undefined {
  const stay = readNumber("lengthOfStay", { max: MAX_STAY_NIGHTS }, reading);
  if (stay === 0) reading.report.error(invalidWord("0", "lengthOfStay", `1 to ${MAX_STAY_NIGHTS}`), reading.at);
  return stay || undefined;
}

function readOccupancy(reading: ElementContext): number {
  const { attributes, report, at } = reading;
  const guests = readNumber("occupancy", { max: MAX_GUESTS }, reading);
  if (attributes.get("occupancy") === undefined) report.error(fieldMissing("occupancy"), at);
  else if (guests === 0) report.error(invalidWord("0", "occupancy", `1 to ${MAX_GUESTS}`), at);
  return guests ?? 0;
}

const DECIMAL_PATTERN = /^\s*(\d{1,15})(?:\.(\d{1,6}))?\s*$/;

/** Multiplies a decimal without rounding. Returns an invalid value unchanged, so that the decision refuses it. */
function multiplyDecimal(text: string, factor: number): string {
  const [, whole, fraction = ""] = DECIMAL_PATTERN.exec(text) ?? [];
  if (factor === 1 || whole === undefined) return text;
  const digits = String(BigInt(whole + fraction) * BigInt(factor)).padStart(fraction.length + 1, "0");
  return fraction === "" ? digits : `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
}
