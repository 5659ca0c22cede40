import { fieldMissing, invalidWord } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { checkDates, checkEnds, checkPeriod, toDateRange, type ParsedDates, readDates } from "../parts/dates.ts";

/** The attribute values that AlpineBits allows, by element. Elements inside an offer have the prefix `Offer/`. */
const ALLOWED_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
const DECIMAL_FORMAT: AttributeFormat = [/^(?=\.?\d)\d*(?:\.\d*)?$/, "a decimal from 0"];
const WHOLE_NUMBER_FORMAT: AttributeFormat = [/^\d+$/, "a whole number from 0"];
const POSITIVE_FORMAT: AttributeFormat = [/^0*[1-9]\d*$/, "a whole number from 1"];
const DAYS_FORMAT: AttributeFormat = [/^P\d+D$/, "such as P3D"];
const PATTERN_FORMAT: AttributeFormat = [/^0*1*$/, "0 for each paid night, then 1 for each free night"];
const STAY_LIMIT_FORMAT: AttributeFormat = [/^(?:SetMinLOS|SetMaxLOS)?$/, "SetMinLOS, SetMaxLOS, or nothing"];

const ATTRIBUTE_FORMATS: Readonly<Record<string, Readonly<Record<string, AttributeFormat>>>> = {
  Supplement: { Amount: DECIMAL_FORMAT },
  "Offer/OfferRule": { MinAdvancedBookingOffset: DAYS_FORMAT, MaxAdvancedBookingOffset: DAYS_FORMAT },
  "Offer/LengthOfStay": { Time: DECIMAL_FORMAT, MinMaxMessageType: STAY_LIMIT_FORMAT },
  "Offer/Occupancy": { MinAge: POSITIVE_FORMAT, MaxAge: POSITIVE_FORMAT, MinOccupancy: WHOLE_NUMBER_FORMAT, MaxOccupancy: POSITIVE_FORMAT },
  "Offer/Discount": { NightsRequired: POSITIVE_FORMAT, NightsDiscounted: POSITIVE_FORMAT, DiscountPattern: PATTERN_FORMAT },
  "Offer/Guest": {
    AgeQualifyingCode: POSITIVE_FORMAT,
    MaxAge: POSITIVE_FORMAT,
    MinCount: WHOLE_NUMBER_FORMAT,
    LastQualifyingPosition: POSITIVE_FORMAT,
  },
};

const REQUIRED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
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
  for (const [name, words] of Object.entries(ALLOWED_WORDS[element] ?? {})) {
    const text = attributes.get(name);
    if (text !== undefined && !words.split(" ").includes(text.trim()))
      report.error(invalidWord(text, name, words.replaceAll(" ", ", ")), at);
  }
  for (const [name, [form, allowed]] of Object.entries(ATTRIBUTE_FORMATS[element] ?? {})) {
    const text = attributes.get(name);
    if (text !== undefined && !form.test(text.trim())) report.error(invalidWord(text, name, allowed), at);
  }
  for (const name of REQUIRED_ATTRIBUTES[element] ?? []) if (attributes.get(name) === undefined) report.error(fieldMissing(name), at);
  ELEMENT_CHECKS[element]?.(readDates(reading), reading);
}

const ELEMENT_CHECKS: Readonly<Record<string, (dates: ParsedDates, reading: ElementContext) => void>> = {
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
