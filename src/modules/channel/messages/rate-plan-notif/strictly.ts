import { fieldMissing, invalidValue, invalidWord } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { dateRangeOf, type DatesRead, readDates } from "../parts/dates.ts";
import { checkDates, checkEnds, checkPeriod } from "../parts/period.ts";

/** The words that attributes may have in AlpineBits RatePlans, by element; elsewhere more are allowed. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RatePlan: { RatePlanType: "12", RatePlanQualifier: "true false 1 0" },
  BookingRule: { CodeContext: "ROOMTYPE" },
  LengthOfStay: { TimeUnit: "Day", MinMaxMessageType: "SetMinLOS SetForwardMinStay SetMaxLOS SetForwardMaxStay" },
  RestrictionStatus: { Restriction: "Master", Status: "Open Close" },
  MealsIncluded: { MealPlanCodes: "1 3 10 12 14", MealPlanIndicator: "1 true" },
  Supplement: {
    InvType: "EXTRA ALPINEBITSEXTRA",
    AddToBasicRateIndicator: "1 true",
    MandatoryIndicator: "true false 1 0",
    ChargeTypeCode: "1 12 18 19 20 21 24",
  },
  PrerequisiteInventory: { InvType: "ALPINEBITSDOW ROOMTYPE" },
  Description: { Name: "title intro description gallery codelist" },
  Text: { TextFormat: "PlainText HTML" },
  Occupancy: { AgeQualifyingCode: "8 10" },
  Discount: { Percent: "100" },
};

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  LengthOfStay: ["Time", "TimeUnit"],
  Supplement: ["InvType", "InvCode"],
  Description: ["Name"],
  Text: ["TextFormat"],
  Occupancy: ["AgeQualifyingCode"],
};

/** Checks the attributes of an element by the rules that only AlpineBits has. */
export function checkStrictly(element: string, reading: Reading): void {
  const { attributes, report, at } = reading;
  for (const [name, words] of Object.entries(WORDS[element] ?? {})) {
    const text = attributes.get(name);
    if (text !== undefined && !words.split(" ").includes(text.trim()))
      report.error(invalidWord(text, name, words.replaceAll(" ", ", ")), at);
  }
  for (const name of REQUIRED[element] ?? []) if (attributes.get(name) === undefined) report.error(fieldMissing(name), at);
  CHECKS[element]?.(readDates(attributes), reading);
}

const CHECKS: Readonly<Record<string, (dates: DatesRead, reading: Reading) => void>> = {
  RatePlan: checkDates,
  BookingRule: checkPeriod,
  Rate: checkRate,
  Supplement: checkSupplement,
};

function checkRate(dates: DatesRead, reading: Reading): void {
  const { attributes, report, at } = reading;
  checkEnds(dates, reading);
  const category = attributes.get("InvTypeCode");
  const isUnnamed = category === undefined ? attributes.get("InvCode") !== undefined : category.trim() === "";
  if (isUnnamed) report.error(fieldMissing("InvTypeCode"), at);
}

function checkSupplement(dates: DatesRead, reading: Reading): void {
  const { attributes, report, at } = reading;
  const amount = attributes.get("Amount");
  dateRangeOf(dates, reading);
  checkDates(dates, reading);
  if (amount !== undefined && !DECIMAL.test(amount)) report.error(invalidValue(amount, "Amount"), at);
}

const DECIMAL = /^\s*(?=\.?\d)\d*(?:\.\d*)?\s*$/;
