import type { ElementReference } from "./element.ts";
import { DAY_ATTRIBUTES } from "./parts.ts";

const AMOUNT_MEANING = [
  ["AmountBeforeTax AmountAfterTax", "Price before and after tax. Send one or both; neither is computed from the other."],
  ["CurrencyCode", "ISO 4217 code. Default: the currency of the `Rate`, otherwise of its other amounts, otherwise of the property."],
  ["DecimalPlaces", 'Number of decimals in whole-number amounts: `DecimalPlaces="2"` makes `10000` 100.00.'],
] as const;
const AGE_MEANING = [
  ["AgeBucket", "Describes `MinAge` and `MaxAge`. Refused if they are missing."],
  ["AgeTimeUnit", "`Year`. Other units are refused."],
] as const;
/** Attributes that apply to every amount inside the element that has them. */
export const TERMS_MEANING = [
  "CurrencyCode DecimalPlaces AgeQualifyingCode ChargeTypeCode",
  "Defaults for the amounts inside this element.",
] as const;
const NOT_STORED = "Not stored.";

export const RATE_LIMITS = [
  "MinLOS MaxLOS StayOverDate",
  "Not stored; causes a warning. See [amounts for some stays only](#amounts-for-some-stays-only).",
] as const;

/** Attributes that determine the meaning of a rate's or rate plan's amounts. */
export const PRICE_MEANING = [
  ["ChargeTypeCode", "7 or 21: amounts are per person. 25 or 19: amounts are per room. An amount's own `Type` takes precedence."],
  [
    "BaseRatePlanCode AdjustedPercentage AdjustedAmount",
    "Amounts derived from another plan are not computed. Causes a warning; stored amounts are kept.",
  ],
] as const;

export const RATE_UNSUPPORTED: Pick<ElementReference, "narrowing" | "notStored" | "harmless"> = {
  narrowing: [
    ["MinGuestApplicable MaxGuestApplicable", "Refused unless every amount has `NumberOfGuests`."],
    ["RateTier", "Details about the line's plan. Refused if the line has no plan."],
    ["InvType IsRoom", "Details about the line's category. Refused if the line has no category."],
    ["InvCodeApplication", "`InvCode` and `DoesNotApply` have no effect. `InvGroupingCode` is refused."],
    ["RatePlanCode", "Refused unless it is the line's plan."],
    ["MinAge MaxAge AgeBucket AgeTimeUnit", "Refused."],
  ],
  notStored: "NumberOfUnits RateMode",
  harmless: "RPH RoomPricingType",
};
export const RATE_STATUS = ["Status", "Not stored. Values other than `Open` cause a warning."] as const;

export const RATE_PARTS: readonly ElementReference[] = [
  { element: "BaseByGuestAmts", meaning: "List of prices.", attributes: [TERMS_MEANING], narrowing: [] },
  {
    element: "BaseByGuestAmt",
    meaning: "Price for a given number of guests.",
    attributes: [
      ["NumberOfGuests", "Number of guests. If it is missing, the price is per room, or per guest if `Type` is per person."],
      ["AgeQualifyingCode", "OpenTravel code list AQC, 1 to 19: 10 adult (default), 8 child, 7 infant."],
      ["MinAge MaxAge", "Age range that the price applies to, in years. Each age range has its own price."],
      ...AGE_MEANING,
      ...AMOUNT_MEANING,
      ["Type", "7 or 21: per person. 25 or 19: per room. Other types cause a warning. AlpineBits allows `Type` only on the static rate."],
    ],
    narrowing: [],
    notStored: "AmountIncludingMarkup Amount",
    harmless: "RPH AdditionalFeesExcludedIndicator ServiceOverrideIndicator RateOverrideIndicator",
  },
  {
    element: "AdditionalGuestAmounts",
    meaning: "List of prices for extra guests. Always replaces the stored list.",
    attributes: [TERMS_MEANING],
    narrowing: [],
  },
  {
    element: "AdditionalGuestAmount",
    meaning: "Price for one extra guest.",
    attributes: [
      ["AgeQualifyingCode MinAge MaxAge", "Age group of the guest."],
      ...AGE_MEANING,
      ["MaxAdditionalGuests", "Maximum number of extra guests at this price."],
      ["Amount", "Price after tax, or before tax if `TaxInclusive` is false."],
      ["TaxInclusive", "Whether `Amount` includes tax."],
      ...AMOUNT_MEANING,
      ["Percent", "Not stored; causes a warning."],
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
      ["Breakfast Lunch Dinner", "Used if there is no code."],
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

export const OWN_NIGHTS_ATTRIBUTES = `Start End ${DAY_ATTRIBUTES}`;
