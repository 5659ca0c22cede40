import type { ElementReference } from "./element.ts";
import { STANDARD_DAYS } from "./weekdays.ts";

export const DAYS = STANDARD_DAYS.join(" ");
export const HOTEL_CODE = [
  [
    "HotelCode",
    "Property code. Case-sensitive. Required unless `HotelName` identifies the property; always required in AlpineBits 2024-10.",
  ],
  ["HotelName", "Property name. Used only without `HotelCode`, and only if exactly one active property has this name."],
] as const;
/** The element that contains all lines. */
export const HOTEL = {
  attributes: HOTEL_CODE,
  narrowing: [],
  harmless: "ChainCode BrandCode HotelCityCode HotelCodeContext ChainName BrandName AreaID TTIcode",
} satisfies Partial<ElementReference>;
export const NIGHTS = [
  ["Start", "First night, `YYYY-MM-DD`. Required."],
  ["End", "Last night, included. If it is missing, `Duration` is used; if both are missing, the line is for one night."],
  ["Duration", "Number of nights instead of `End`: `P3N`, `P3D`, `P1W`, `P1M`."],
  [DAYS, "Limits the line to these weekdays. See [weekdays](#weekdays)."],
] as const;
export const CATEGORY = [
  ["InvTypeCode", "Category code. Case-sensitive."],
  ["InvCode", "A physical room of the category. Without `InvTypeCode` it is read as the category code."],
] as const;
export const PLAN = [
  ["RatePlanCode", "Rate plan code. A new code creates the plan, unless the property accepts known plans only."],
  ["RatePlanID", "Read as `RatePlanCode` if that is missing."],
] as const;

export const CONTROL = "StatusApplicationControl";
/** Attributes that restrict a line to part of its nights, category, room or plan. See `updates/narrowing.ts`. */
export const CONTROL_PARTS: Pick<ElementReference, "narrowing" | "harmless"> = {
  narrowing: [
    [
      "InvBlockCode SubBlockCode",
      "Group blocks and boards: the line is skipped with a warning, unless the sender's setting `blocks` is `ignore`.",
    ],
    [
      "RatePlanCategory RatePlanType RatePlanQualifier RateTier",
      "Describe the plan that the line names. Refused if the line names no plan.",
    ],
    ["RatePlanCodeType", "`RatePlanCode` changes nothing. Other values are refused, because the code is then not a rate plan's."],
    ["InvType IsRoom", "Details of the line's category. `IsRoom` `true` has no effect. Refused if the line has no category."],
    ["InvCodeApplication", "`InvCode` and `DoesNotApply` change nothing. `InvGroupingCode` is refused."],
    ["DestinationSystemCode", "See [distribution channels](#distribution-channels)."],
    [
      "PromotionCode PromotionVendorCode QuoteID RatePlanGroup WingIdentifier RoomView MealPlanCode MarketCode SourceOfBusiness ProductType SupplierCode",
      "Refused, like unknown attributes with similar names.",
    ],
  ],
  harmless: "Override InvBlockCodeApply",
};
export const ALL_RATES = [
  "AllRateCode",
  "Changes nothing. With a plan it adds a warning, because the line applies only to that plan.",
] as const;
const DISTRIBUTION_MEANING = "Distribution channels that the line is for. See [distribution channels](#distribution-channels).";
export const DISTRIBUTION: readonly ElementReference[] = [
  { element: "DestinationSystemCodes", is: "narrowing", meaning: DISTRIBUTION_MEANING },
  { element: "DestinationSystemCode", is: "narrowing", meaning: DISTRIBUTION_MEANING },
];

const ID_HARMLESS = "URL ID_Context Name";
export const LINE_NAME: ElementReference = {
  element: "UniqueID",
  meaning: "Inside a line: the sender's ID for it, returned in errors as `RecordID`.",
  attributes: [["ID", "The ID."]],
  harmless: `${ID_HARMLESS} Type Instance`,
};
export const COMPLETE_SET: ElementReference = {
  element: "UniqueID",
  meaning: "How the message relates to earlier ones. Must be a direct child of the root element.",
  attributes: [
    [
      "Instance",
      "`CompleteSet`: replaces what earlier messages of this kind set, from today on. Anything else is ignored; AlpineBits refuses it.",
    ],
    ["Type", "AlpineBits requires 16 or 35. Ignored otherwise."],
    ["ID", "Ignored here."],
  ],
};

export const STAYS: readonly ElementReference[] = [
  {
    element: "LengthsOfStay",
    meaning: "Limits the length of stays.",
    attributes: [
      ["ArrivalDateBased", "`true`: limits by arrival. `false`: limits on every night of a stay. See [lengths of stay](#lengths-of-stay)."],
      ["FixedPatternLength", "Number of nights in the pattern, if each `LengthOfStay` gives one open length."],
    ],
    narrowing: [],
  },
  {
    element: "LengthOfStay",
    meaning: "One limit, or one length of a pattern. See [lengths of stay](#lengths-of-stay).",
    attributes: [
      ["MinMaxMessageType", "Kind of limit. Required, unless `OpenStatusIndicator` is present."],
      ["Time", "Number of nights. A limit without `Time` is cleared."],
      ["TimeUnit", "`Day`."],
      ["OpenStatusIndicator", "In a pattern: whether stays of this length are allowed."],
    ],
    narrowing: [],
  },
  {
    element: "LOS_Pattern",
    meaning: "Allowed stays by arrival.",
    attributes: [["FullPatternLOS", "One letter per length of stay: `NYYN` or `0110` allows two and three nights."]],
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
        "Minimum and maximum number of days between booking and arrival: `3`, `P3D`, `PT72H`, `P2W`. A month is stored as 30 days and a year as 365, with a warning. A maximum of 0 adds a warning, or clears the limit if the sender's `maxAdvance0` is `clears`.",
      ],
      ["MinLOS MaxLOS", "The same as a `LengthOfStay` with `SetMinLOS` or `SetMaxLOS`."],
    ],
    narrowing: [],
    notStored: "SellThroughOpenIndicator",
  },
];
