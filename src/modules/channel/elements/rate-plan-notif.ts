import type { ElementReference } from "./element.ts";
import { COMPLETE_SET, DAYS, DISTRIBUTION, HOTEL, LINE_NAME } from "./parts.ts";
import { OWN_NIGHTS, PRICE_MEANING, RATE_LIMITS, RATE_PARTS, RATE_STATUS, RATE_UNREAD, TERMS } from "./rates.ts";
import { RULE_OFFSETS, RULE_PARTS, RULE_UNREAD } from "./rules.ts";

const NOT_STORED = "Not stored.";

const PLAN: ElementReference = {
  element: "RatePlan",
  meaning: "One rate plan, or a part of it.",
  attributes: [
    ["RatePlanCode", "Plan code. Outside AlpineBits `RatePlanID` is enough, and rates and rules that name their categories need none."],
    ["RatePlanID", "Code of a group of joined plans."],
    [
      "RatePlanNotifType",
      "`Full` or `New`, `Overlay`, `Delta`, `Remove`. Required in AlpineBits. See [replacing plans](#replacing-plans).",
    ],
    ["RatePlanStatusType", "Outside AlpineBits, `Deactivated` removes the plan. `Initial` and `Active` change nothing."],
    ["CurrencyCode", "Default currency of its amounts."],
    ...PRICE_MEANING,
    ["RatePlanType RatePlanCategory", "Stored as sent. AlpineBits allows only type 12."],
    ["RatePlanQualifier", "Boolean: whether the plan is the master of its group."],
    ["Start End Duration", "Outside AlpineBits, default nights of its rates and rules. In AlpineBits, when the plan is shown."],
  ],
  narrowing: [
    ["RatePlanCodeType", "`RatePlanCode` changes nothing. Other values are refused, because the code is then not a rate plan's."],
    [
      "InvTypeCode InvCode InvType InvBlockCode SubBlockCode DestinationSystemCode",
      "As in a line. `InvTypeCode` is refused, unless the rates have the same value.",
    ],
    ["RatePlanGroup", "Refused, like unknown attributes with similar names."],
  ],
  notStored:
    "DecimalPlaces FloorAmount CeilingAmount AdjustUpIndicator YieldDeltaAmount RestrictedDisplayIndicator InventoryAllocatedInd RatePlanNotifScopeType ExtraNightRatePlanCode EarliestStartIndicator LatestEndIndicator",
  harmless: "PromotionCode PromotionVendorCode MarketCode IsCommissionable RateReturn YieldableIndicator RatePlanName",
};

const RULE: ElementReference = {
  element: "BookingRule",
  meaning: "Restrictions for some nights and one category, or all.",
  attributes: [
    ["CodeContext", "`ROOMTYPE`, together with `Code`. A rule with another context is ignored with a warning."],
    ["Code InvTypeCode InvCode", "Category. Without one the rule applies to all categories of the plan."],
    [`Start End Duration ${DAYS}`, "Nights. Without `Start` and `End`, the nights of the plan apply, or in AlpineBits every night."],
    RULE_OFFSETS,
  ],
  ...RULE_UNREAD,
};

const RATE: ElementReference = {
  element: "Rate",
  meaning: "Prices for some nights and one category, or all.",
  attributes: [
    [OWN_NIGHTS, "Nights. Outside AlpineBits the default is the nights of the plan."],
    ["InvTypeCode InvCode", "Category. AlpineBits accepts only `InvTypeCode`."],
    ["Duration", "Length of stay that the price is for: `P3N`."],
    ["RateTimeUnit UnitMultiplier", "The same, as `Day` and a number."],
    ["CurrencyCode DecimalPlaces AgeQualifyingCode", "Defaults for the amounts in this rate."],
    ...PRICE_MEANING,
    RATE_LIMITS,
    RATE_STATUS,
  ],
  ...RATE_UNREAD,
};

export const RATE_PLAN_NOTIF: readonly ElementReference[] = [
  COMPLETE_SET,
  { element: "RatePlans", meaning: "All rate plans, for one property. Required.", ...HOTEL },
  PLAN,
  LINE_NAME,
  { element: "HotelRef", meaning: "The property, as in `RatePlans`.", ...HOTEL },
  ...DISTRIBUTION,
  { element: "DestinationSystemsCode", is: "narrowing", meaning: "The same as `DestinationSystemCodes`." },
  { element: "SellableProducts", meaning: "Outside AlpineBits: the categories that rates and rules without a category apply to." },
  {
    element: "SellableProduct",
    meaning: "One category.",
    attributes: [["InvTypeCode InvCode", "Category code. One is required."]],
    narrowing: [["InvCodeApplication", "`InvCode` and `DoesNotApply` change nothing. `InvGroupingCode` is refused."]],
    notStored: "InvNotifType InvStatusType",
    harmless: "InvType IsRoom InvGroupingCode",
  },
  { element: "BookingRules", meaning: "Restrictions of the plan.", narrowing: [] },
  RULE,
  ...RULE_PARTS,
  {
    element: "Rates",
    meaning: "Prices. The first `Rate` without nights and category is the static rate.",
    attributes: [TERMS],
    narrowing: [],
  },
  RATE,
  ...RATE_PARTS,
  { element: "Supplements", meaning: "Stored as sent." },
  { element: "Supplement", is: "stored", meaning: "One supplement." },
  { element: "Offers", meaning: "Stored as sent. AlpineBits checks their format." },
  { element: "Offer", is: "stored", meaning: "One offer." },
  { element: "Description", is: "stored", meaning: "Texts, stored as sent. The `title` is the plan's name." },
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
