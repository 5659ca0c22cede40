import type { ElementReference } from "./element.ts";
import { STANDARD_DAYS } from "./weekdays.ts";

export const DAY_ATTRIBUTES = STANDARD_DAYS.join(" ");
export const HOTEL_CODE_MEANING = [
  [
    "HotelCode",
    "Property code. Case-sensitive. Required unless `HotelName` identifies the property; always required in AlpineBits 2024-10.",
  ],
  ["HotelName", "Property name. Used only without `HotelCode`, and only if exactly one active property has this name."],
] as const;
/** Attributes of the element around all lines, which identifies the property. */
export const HOTEL_ATTRIBUTES = {
  attributes: HOTEL_CODE_MEANING,
  narrowing: [],
  harmless: "ChainCode BrandCode HotelCityCode HotelCodeContext ChainName BrandName AreaID TTIcode",
} satisfies Partial<ElementReference>;
export const NIGHTS_MEANING = [
  ["Start", "First night, `YYYY-MM-DD`. Required."],
  ["End", "Last night, inclusive. If `End` is missing, `Duration` is used. If both are missing, the line applies to one night."],
  ["Duration", "Number of nights, such as `P3N`, `P3D`, `P1W` or `P1M`. Used only without `End`."],
  [DAY_ATTRIBUTES, "Limits the line to these weekdays. See [weekdays](#weekdays)."],
] as const;
export const CATEGORY_MEANING = [
  ["InvTypeCode", "Category code. Case-sensitive."],
  ["InvCode", "Code of a physical room in the category. If `InvTypeCode` is missing, it is read as the category code."],
] as const;
export const PLAN_MEANING = [
  ["RatePlanCode", "Rate plan code. A new code creates the plan, unless the property accepts only known plans."],
  ["RatePlanID", "Used if `RatePlanCode` is missing."],
] as const;

export const CONTROL_ELEMENT = "StatusApplicationControl";
/** Attributes that restrict a line to part of its nights, category, room or plan. See `updates/narrowing.ts`. */
export const CONTROL_PARTS: Pick<ElementReference, "narrowing" | "harmless"> = {
  narrowing: [
    [
      "InvBlockCode SubBlockCode",
      "Codes of a group block and of part of one. The line is skipped with a warning unless the sender's `blocks` setting is `ignore`.",
    ],
    ["RatePlanCategory RatePlanType RatePlanQualifier RateTier", "Details about the line's plan. Refused if the line has no plan."],
    ["RatePlanCodeType", "`RatePlanCode` has no effect. Other values are refused, because the code then doesn't identify a rate plan."],
    [
      "InvType IsRoom",
      "Details about the line's category. A value of `true` for `IsRoom` has no effect. Refused if the line has no category.",
    ],
    ["InvCodeApplication", "`InvCode` and `DoesNotApply` have no effect. `InvGroupingCode` is refused."],
    ["DestinationSystemCode", "See [distribution channels](#distribution-channels)."],
    [
      "PromotionCode PromotionVendorCode QuoteID RatePlanGroup WingIdentifier RoomView MealPlanCode MarketCode SourceOfBusiness ProductType SupplierCode",
      "Refused, as are unknown attributes with similar names.",
    ],
  ],
  harmless: "Override InvBlockCodeApply",
};
export const ALL_RATES_MEANING = [
  "AllRateCode",
  "Has no effect. Causes a warning if the line has a plan, because the line then applies only to that plan.",
] as const;
const DISTRIBUTION_MEANING = "Distribution channels that the line applies to. See [distribution channels](#distribution-channels).";
export const DISTRIBUTION_ELEMENTS: readonly ElementReference[] = [
  { element: "DestinationSystemCodes", is: "narrowing", meaning: DISTRIBUTION_MEANING },
  { element: "DestinationSystemCode", is: "narrowing", meaning: DISTRIBUTION_MEANING },
];

const ID_HARMLESS = "URL ID_Context Name";
export const LINE_NAME_ELEMENT: ElementReference = {
  element: "UniqueID",
  meaning: "Inside a line, this element contains the sender's ID for the line. Errors return it as `RecordID`.",
  attributes: [["ID", "The ID."]],
  harmless: `${ID_HARMLESS} Type Instance`,
};
export const COMPLETE_SET_ELEMENT: ElementReference = {
  element: "UniqueID",
  meaning: "How the message relates to earlier ones. Must be a direct child of the root element.",
  attributes: [
    [
      "Instance",
      "`CompleteSet`: the message replaces all values set by earlier messages of this type, from today onward. AlpineBits messages with other values are refused; other dialects ignore them.",
    ],
    ["Type", "AlpineBits requires 16 or 35. Ignored in other dialects."],
    ["ID", "Ignored."],
  ],
};

export const STAY_ELEMENTS: readonly ElementReference[] = [
  {
    element: "LengthsOfStay",
    meaning: "Limits the length of stay.",
    attributes: [
      ["ArrivalDateBased", "`true`: arrival-based limits. `false`: stay-through limits. See [lengths of stay](#lengths-of-stay)."],
      ["FixedPatternLength", "Number of nights in the pattern, if each `LengthOfStay` contains one allowed length."],
    ],
    narrowing: [],
  },
  {
    element: "LengthOfStay",
    meaning: "One limit, or one length in a pattern. See [lengths of stay](#lengths-of-stay).",
    attributes: [
      ["MinMaxMessageType", "Type of limit. Required unless `OpenStatusIndicator` is present."],
      ["Time", "Number of nights. If `Time` is missing, the limit is cleared."],
      ["TimeUnit", "`Day`."],
      ["OpenStatusIndicator", "In a pattern: whether stays of this length are allowed."],
    ],
    narrowing: [],
  },
  {
    element: "LOS_Pattern",
    meaning: "Allowed lengths of stay, by arrival date.",
    attributes: [
      ["FullPatternLOS", "One character per length of stay, starting with one night: `NYYN` or `0110` allows two and three nights."],
    ],
    narrowing: [],
  },
  {
    element: "RestrictionStatus",
    meaning: "Opens or closes nights, and sets the booking window.",
    attributes: [
      [
        "Status",
        "`Open`, `Close`, `OnRequest`, `ClosedOnArrival`, `ClosedOnArrivalOnRequest` or `RemoveCloseOnly`. See [status](#status).",
      ],
      ["Restriction", "`Master` (default): stop sell. `Arrival`: closed to arrival. `Departure`: closed to departure."],
      [
        "MinAdvancedBookingOffset MaxAdvancedBookingOffset",
        "Minimum and maximum number of days between booking and arrival: `3`, `P3D`, `PT72H`, `P2W`. A month is stored as 30 days and a year as 365, with a warning. A maximum of 0 causes a warning, or clears the limit if the sender's `maxAdvance0` setting is `clears`.",
      ],
      ["MinLOS MaxLOS", "Same as a `LengthOfStay` with `SetMinLOS` or `SetMaxLOS`."],
    ],
    narrowing: [],
    notStored: "SellThroughOpenIndicator",
  },
];
