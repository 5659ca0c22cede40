import { fieldMissing, invalidWord } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { checkDates, checkEnds, checkPeriod, toDateRange, type ParsedDates, readDates } from "../parts/dates.ts";

/** The attribute values that AlpineBits allows, by element. Elements inside an offer have the prefix `Offer/`. */
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
  "Offer/LengthOfStay": { TimeUnit: "Day" },
  "Offer/Occupancy": { AgeQualifyingCode: "8 10" },
  "Offer/Discount": { Percent: "100" },
  "Offer/Guest": { FirstQualifyingPosition: "1" },
};

type AttributeFormat = readonly [form: RegExp, description: string];
const DECIMAL: AttributeFormat = [/^(?=\.?\d)\d*(?:\.\d*)?$/, "a decimal from 0"];
const WHOLE: AttributeFormat = [/^\d+$/, "a whole number from 0"];
const POSITIVE: AttributeFormat = [/^0*[1-9]\d*$/, "a whole number from 1"];
const DAYS: AttributeFormat = [/^P\d+D$/, "such as P3D"];
const PATTERN: AttributeFormat = [/^0*1*$/, "0 for each paid night, then 1 for each free night"];
const SHORTEST_OR_LONGEST: AttributeFormat = [/^(?:SetMinLOS|SetMaxLOS)?$/, "SetMinLOS, SetMaxLOS, or nothing"];

const FORMS: Readonly<Record<string, Readonly<Record<string, AttributeFormat>>>> = {
  Supplement: { Amount: DECIMAL },
  "Offer/OfferRule": { MinAdvancedBookingOffset: DAYS, MaxAdvancedBookingOffset: DAYS },
  "Offer/LengthOfStay": { Time: DECIMAL, MinMaxMessageType: SHORTEST_OR_LONGEST },
  "Offer/Occupancy": { MinAge: POSITIVE, MaxAge: POSITIVE, MinOccupancy: WHOLE, MaxOccupancy: POSITIVE },
  "Offer/Discount": { NightsRequired: POSITIVE, NightsDiscounted: POSITIVE, DiscountPattern: PATTERN },
  "Offer/Guest": { AgeQualifyingCode: POSITIVE, MaxAge: POSITIVE, MinCount: WHOLE, LastQualifyingPosition: POSITIVE },
};

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  LengthOfStay: ["Time", "TimeUnit"],
  Supplement: ["InvType", "InvCode"],
  Description: ["Name"],
  Text: ["TextFormat"],
  PrerequisiteInventory: ["InvType", "InvCode"],
  "Offer/LengthOfStay": ["Time", "TimeUnit", "MinMaxMessageType"],
  "Offer/Occupancy": ["AgeQualifyingCode"],
  "Offer/Discount": ["Percent"],
  "Offer/Guest": ["AgeQualifyingCode", "MaxAge", "MinCount", "FirstQualifyingPosition", "LastQualifyingPosition"],
};

export function checkStrictly(element: string, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  for (const [name, words] of Object.entries(WORDS[element] ?? {})) {
    const text = attributes.get(name);
    if (text !== undefined && !words.split(" ").includes(text.trim()))
      report.error(invalidWord(text, name, words.replaceAll(" ", ", ")), at);
  }
  for (const [name, [form, allowed]] of Object.entries(FORMS[element] ?? {})) {
    const text = attributes.get(name);
    if (text !== undefined && !form.test(text.trim())) report.error(invalidWord(text, name, allowed), at);
  }
  for (const name of REQUIRED[element] ?? []) if (attributes.get(name) === undefined) report.error(fieldMissing(name), at);
  CHECKS[element]?.(readDates(reading), reading);
}

const CHECKS: Readonly<Record<string, (dates: ParsedDates, reading: ElementContext) => void>> = {
  RatePlan: checkDates,
  BookingRule: checkPeriod,
  Rate: checkRate,
  Supplement: checkSupplement,
};

function checkRate(dates: ParsedDates, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  checkEnds(dates, reading);
  const category = attributes.get("InvTypeCode");
  const isUnnamed = category === undefined ? attributes.get("InvCode") !== undefined : category.trim() === "";
  if (isUnnamed) report.error(fieldMissing("InvTypeCode"), at);
}

function checkSupplement(dates: ParsedDates, reading: ElementContext): void {
  toDateRange(dates, reading);
  checkDates(dates, reading);
}
