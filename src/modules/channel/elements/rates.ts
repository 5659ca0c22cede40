import type { ElementReference } from "./element.ts";
import { DAYS } from "./parts.ts";

const AMOUNT = [
  ["AmountBeforeTax AmountAfterTax", "Price before and after tax. Send one or both; neither is computed from the other."],
  ["CurrencyCode", "ISO 4217. Default: the currency of `Rate`, then of its other amounts, then the property's."],
  ["DecimalPlaces", 'Number of decimals in whole-number amounts: `DecimalPlaces="2"` makes `10000` 100.00.'],
] as const;
const AGES = [
  ["AgeBucket", "Describes `MinAge` and `MaxAge`. Refused if they are missing."],
  ["AgeTimeUnit", "`Year`. Other units are refused."],
] as const;
/** Attributes of an enclosing element that apply to all amounts inside it. */
export const TERMS = [
  "CurrencyCode DecimalPlaces AgeQualifyingCode ChargeTypeCode",
  "Defaults for the amounts inside this element.",
] as const;
const NOT_STORED = "Not stored.";

export const RATE_LIMITS = [
  "MinLOS MaxLOS StayOverDate",
  "Not stored; adds a warning. See [amounts for some stays only](#amounts-for-some-stays-only).",
] as const;

/** Attributes that determine what a plan's or rate's amounts mean. */
export const PRICE_MEANING = [
  ["ChargeTypeCode", "7 or 21: amounts are per person. 25 or 19: per room. `Type` of an amount takes precedence."],
  [
    "BaseRatePlanCode AdjustedPercentage AdjustedAmount",
    "Amounts derived from another plan are not computed. Adds a warning; stored amounts stay.",
  ],
] as const;

export const RATE_UNREAD: Pick<ElementReference, "narrowing" | "notStored" | "harmless"> = {
  narrowing: [
    ["MinGuestApplicable MaxGuestApplicable", "Refused, unless every amount has its `NumberOfGuests`."],
    ["RateTier", "Describes the plan that the line names. Refused if the line names no plan."],
    ["InvType IsRoom", "Describe the category. Refused if the line names no category."],
    ["InvCodeApplication", "`InvCode` and `DoesNotApply` change nothing. `InvGroupingCode` is refused."],
    ["RatePlanCode", "Refused, unless it is the plan of the line."],
    ["MinAge MaxAge AgeBucket AgeTimeUnit", "Refused."],
  ],
  notStored: "NumberOfUnits RateMode",
  harmless: "RPH RoomPricingType",
};
export const RATE_STATUS = ["Status", "Not stored. Values other than `Open` add a warning."] as const;

export const RATE_PARTS: readonly ElementReference[] = [
  { element: "BaseByGuestAmts", meaning: "List of prices.", attributes: [TERMS], narrowing: [] },
  {
    element: "BaseByGuestAmt",
    meaning: "Price for a number of guests.",
    attributes: [
      ["NumberOfGuests", "Number of guests. Without it, the price of the room, or of each guest if `Type` is per person."],
      ["AgeQualifyingCode", "OpenTravel code list AQC, 1 to 19: 10 adult (default), 8 child, 7 infant."],
      ["MinAge MaxAge", "Ages in years that the price is for. Each age range has its own price."],
      ...AGES,
      ...AMOUNT,
      ["Type", "7 or 21: per person. 25 or 19: per room. In AlpineBits only on the static rate. Any other type adds a warning."],
    ],
    narrowing: [],
    notStored: "AmountIncludingMarkup Amount",
    harmless: "RPH AdditionalFeesExcludedIndicator ServiceOverrideIndicator RateOverrideIndicator",
  },
  {
    element: "AdditionalGuestAmounts",
    meaning: "List of prices for extra guests. Always replaces the stored list.",
    attributes: [TERMS],
    narrowing: [],
  },
  {
    element: "AdditionalGuestAmount",
    meaning: "Price of one extra guest.",
    attributes: [
      ["AgeQualifyingCode MinAge MaxAge", "Age of the guest."],
      ...AGES,
      ["MaxAdditionalGuests", "Maximum number of extra guests at this price."],
      ["Amount", "Price after tax; before tax if `TaxInclusive` is false."],
      ["TaxInclusive", "Whether `Amount` includes tax."],
      ...AMOUNT,
      ["Percent", "Not stored; adds a warning."],
    ],
    narrowing: [],
    notStored: "Type",
    harmless: "RPH AdditionalFeesExcludedIndicator ServiceOverrideIndicator RateOverrideIndicator",
  },
  {
    element: "MealsIncluded",
    meaning: "Meals included in the price.",
    attributes: [
      ["MealPlanCodes", "OpenTravel code list MPT, 1 to 27. The first code is used."],
      ["MealPlanIndicator", "`false`: room only."],
      ["Breakfast Lunch Dinner", "Used without a code."],
    ],
    notStored: "NumberOfBreakfast NumberOfLunch NumberOfDinner",
  },
  { element: "Taxes", is: "notStored", meaning: NOT_STORED },
  { element: "Surcharges", is: "notStored", meaning: NOT_STORED },
  { element: "Fees", is: "notStored", meaning: NOT_STORED },
  { element: "AdditionalCharges", is: "notStored", meaning: NOT_STORED },
  { element: "Discount", is: "notStored", meaning: NOT_STORED },
  { element: "Total", is: "notStored", meaning: NOT_STORED },
  { element: "NumberOfGuestsDescription", is: "harmless", meaning: NOT_STORED },
  { element: "AddlGuestAmtDescription", is: "harmless", meaning: NOT_STORED },
  { element: "RateDescription", is: "harmless", meaning: NOT_STORED },
  { element: "CancelPolicies", is: "harmless", meaning: NOT_STORED },
  { element: "GuaranteePolicies", is: "harmless", meaning: NOT_STORED },
  { element: "PaymentPolicies", is: "harmless", meaning: NOT_STORED },
];

export const OWN_NIGHTS = `Start End ${DAYS}`;
