import type { ElementReference } from "./element.ts";
import { COMPLETE_SET_ELEMENT, DAY_ATTRIBUTES, DISTRIBUTION_ELEMENTS, HOTEL_ATTRIBUTES, LINE_NAME_ELEMENT } from "./parts.ts";
import { OWN_NIGHTS_ATTRIBUTES, PRICE_MEANING, RATE_LIMITS, RATE_PARTS, RATE_STATUS, RATE_UNSUPPORTED, TERMS_MEANING } from "./rates.ts";
import { RULE_OFFSETS, RULE_PARTS, RULE_UNSUPPORTED } from "./rules.ts";

const NOT_STORED = "Not stored.";

const PLAN_ELEMENT: ElementReference = {
  element: "RatePlan",
  meaning: "One rate plan, or part of one.",
  attributes: [
    [
      "RatePlanCode",
      "Plan code. Except in AlpineBits, `RatePlanID` may be sent instead, and the code may be omitted if every rate and rule has a category.",
    ],
    ["RatePlanID", "Code of a group of joined plans."],
    [
      "RatePlanNotifType",
      "`Full` or `New`, `Overlay`, `Delta`, `Remove`. Required in AlpineBits. See [replacing plans](#replacing-plans).",
    ],
    ["RatePlanStatusType", "Except in AlpineBits, `Deactivated` removes the plan. `Initial` and `Active` have no effect."],
    ["CurrencyCode", "Default currency for the plan's amounts."],
    ...PRICE_MEANING,
    ["RatePlanType RatePlanCategory", "Stored as sent. AlpineBits allows only type 12."],
    ["RatePlanQualifier", "Whether the plan is the master plan of its group."],
    ["Start End Duration", "Default nights for the plan's rates and rules. In AlpineBits, the dates on which the plan is shown."],
  ],
  narrowing: [
    ["RatePlanCodeType", "`RatePlanCode` has no effect. Other values are refused, because the code then doesn't identify a rate plan."],
    [
      "InvTypeCode InvCode InvType InvBlockCode SubBlockCode DestinationSystemCode",
      "Same as in a line. `InvTypeCode` is refused unless the rates have the same value.",
    ],
    ["RatePlanGroup", "Refused, as are unknown attributes with similar names."],
  ],
  notStored:
    "DecimalPlaces FloorAmount CeilingAmount AdjustUpIndicator YieldDeltaAmount RestrictedDisplayIndicator InventoryAllocatedInd RatePlanNotifScopeType ExtraNightRatePlanCode EarliestStartIndicator LatestEndIndicator",
  harmless: "PromotionCode PromotionVendorCode MarketCode IsCommissionable RateReturn YieldableIndicator RatePlanName",
};

const RULE_ELEMENT: ElementReference = {
  element: "BookingRule",
  meaning: "Restrictions for a range of nights, for one category or for all.",
  attributes: [
    ["CodeContext", "`ROOMTYPE`, together with `Code`. A rule with another context is ignored with a warning."],
    ["Code InvTypeCode InvCode", "Category code. If it is missing, the rule applies to all of the plan's categories."],
    [
      `Start End Duration ${DAY_ATTRIBUTES}`,
      "Nights. If `Start` and `End` are missing, the rule applies to the plan's nights, or in AlpineBits to every night.",
    ],
    RULE_OFFSETS,
  ],
  ...RULE_UNSUPPORTED,
};

const RATE_ELEMENT: ElementReference = {
  element: "Rate",
  meaning: "Prices for a range of nights, for one category or for all.",
  attributes: [
    [OWN_NIGHTS_ATTRIBUTES, "Nights. Except in AlpineBits, the default is the plan's nights."],
    ["InvTypeCode InvCode", "Category code. AlpineBits accepts only `InvTypeCode`."],
    ["Duration", "Length of stay that the price applies to, such as `P3N`."],
    ["RateTimeUnit UnitMultiplier", "The same length of stay, as `Day` and a number of nights."],
    ["CurrencyCode DecimalPlaces AgeQualifyingCode", "Defaults for the amounts in this rate."],
    ...PRICE_MEANING,
    RATE_LIMITS,
    RATE_STATUS,
  ],
  ...RATE_UNSUPPORTED,
};

export const RATE_PLAN_NOTIF_ELEMENTS: readonly ElementReference[] = [
  COMPLETE_SET_ELEMENT,
  { element: "RatePlans", meaning: "Contains the rate plans, all for the same property. Required.", ...HOTEL_ATTRIBUTES },
  PLAN_ELEMENT,
  LINE_NAME_ELEMENT,
  { element: "HotelRef", meaning: "The property. Must be the same as in `RatePlans`.", ...HOTEL_ATTRIBUTES },
  ...DISTRIBUTION_ELEMENTS,
  { element: "DestinationSystemsCode", is: "narrowing", meaning: "Same as `DestinationSystemCodes`." },
  {
    element: "SellableProducts",
    meaning: "Categories that rates and rules apply to if they have none of their own. Not used in AlpineBits.",
  },
  {
    element: "SellableProduct",
    meaning: "One category.",
    attributes: [["InvTypeCode InvCode", "Category code. At least one of the two attributes is required."]],
    narrowing: [["InvCodeApplication", "`InvCode` and `DoesNotApply` have no effect. `InvGroupingCode` is refused."]],
    notStored: "InvNotifType InvStatusType",
    harmless: "InvType IsRoom InvGroupingCode",
  },
  { element: "BookingRules", meaning: "Contains the plan's restrictions.", narrowing: [] },
  RULE_ELEMENT,
  ...RULE_PARTS,
  {
    element: "Rates",
    meaning: "Contains the plan's prices. If the first `Rate` has neither nights nor a category, it is the static rate.",
    attributes: [TERMS_MEANING],
    narrowing: [],
  },
  RATE_ELEMENT,
  ...RATE_PARTS,
  { element: "Supplements", meaning: "Stored as sent." },
  { element: "Supplement", is: "stored", meaning: "One supplement." },
  { element: "Offers", meaning: "Stored as sent. The format is checked in AlpineBits." },
  { element: "Offer", is: "stored", meaning: "One offer." },
  { element: "Description", is: "stored", meaning: "Descriptions, stored as sent. The one named `title` is the plan's name." },
  { element: "RatePlanShoulders", is: "notStored", meaning: NOT_STORED },
  { element: "RatePlanLevelFee", is: "notStored", meaning: NOT_STORED },
  { element: "AddtionalRules", is: "notStored", meaning: NOT_STORED },
  { element: "AdditionalRules", is: "notStored", meaning: NOT_STORED },
  { element: "CheckoutCharge", is: "notStored", meaning: NOT_STORED },
  { element: "Commission", is: "harmless", meaning: NOT_STORED },
  { element: "AcceptableGuarantees", is: "harmless", meaning: NOT_STORED },
  { element: "CancelPenalties", is: "harmless", meaning: NOT_STORED },
  { element: "RequiredPaymts", is: "harmless", meaning: NOT_STORED },
];
