/** What an integrator can send in one message. A test compares this with the attributes that the readers read and with the examples. */
export type ElementReference = {
  element: string;
  meaning: string;
  /** Names, separated by spaces, and their meaning. */
  attributes?: readonly (readonly [names: string, meaning: string])[];
};

export const DAYS = "Mon Tue Weds Thur Fri Sat Sun";
export const HOTEL_CODE = [
  [
    "HotelCode",
    "Property code. Case-sensitive. Required unless `HotelName` identifies the property; always required in AlpineBits 2024-10.",
  ],
  ["HotelName", "Property name. Used only without `HotelCode`, and only if exactly one active property has this name."],
] as const;
export const NIGHTS = [
  ["Start", "First night, `YYYY-MM-DD`. Required."],
  ["End", "Last night, included. Without it, `Duration` counts; without both, the line is about one night."],
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
export const BLOCKS = ["InvBlockCode SubBlockCode", "Group blocks and boards are not stored: the line is ignored with a warning."] as const;
export const LINE_NAME: ElementReference = {
  element: "UniqueID",
  meaning: "Inside a line: its name in errors (`RecordID`).",
  attributes: [["ID", "The name."]],
};
export const COMPLETE_SET: ElementReference = {
  element: "UniqueID",
  meaning: "Directly below the root: how the message relates to earlier ones.",
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
      ["ArrivalDateBased", "Ignored; `false` adds a warning. `MinMaxMessageType` decides."],
      ["FixedPatternLength", "Length of a pattern given as one `LengthOfStay` per open length."],
    ],
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
  },
  {
    element: "LOS_Pattern",
    meaning: "Allowed stays by arrival.",
    attributes: [["FullPatternLOS", "One letter per length of stay: `NYYN` or `0110` allows two and three nights."]],
  },
  {
    element: "RestrictionStatus",
    meaning: "Opens or closes nights, and sets the booking window.",
    attributes: [
      [
        "Status",
        "`Open`, `Close`, `OnRequest`, `ClosedOnArrival`, `ClosedOnArrivalOnRequest` or `RemoveCloseOnly`. See [status](#status).",
      ],
      ["Restriction", "`Master` (default): sale as a whole. `Arrival`: closed to arrival. `Departure`: closed to departure."],
      [
        "MinAdvancedBookingOffset MaxAdvancedBookingOffset",
        "Fewest and most days between booking and arrival: `3`, `P3D`, `PT72H`, `P2W`. A month is stored as 30 days and a year as 365, with a warning.",
      ],
    ],
  },
];
const AMOUNT = [
  ["AmountBeforeTax AmountAfterTax", "Price before and after tax. Send one or both; neither is computed from the other."],
  ["CurrencyCode", "ISO 4217. Default: the currency of `Rate`, then of its other amounts, then the property's."],
  ["DecimalPlaces", 'Number of decimals in whole-number amounts: `DecimalPlaces="2"` makes `10000` 100.00.'],
] as const;
export const RATE_PARTS: readonly ElementReference[] = [
  { element: "BaseByGuestAmts", meaning: "List of prices." },
  {
    element: "BaseByGuestAmt",
    meaning: "Price for a number of guests.",
    attributes: [
      ["NumberOfGuests", "Number of guests. Without it, the price of the room, or of each guest if `Type` is per person."],
      ["AgeQualifyingCode", "OpenTravel code list AQC, 1 to 19: 10 adult (default), 8 child, 7 infant."],
      ...AMOUNT,
      ["Type", "7 or 21: per person. 25 or 19: per room. In AlpineBits only on the static rate. Any other type adds a warning."],
    ],
  },
  { element: "AdditionalGuestAmounts", meaning: "List of prices for extra guests. Always replaces the stored list." },
  {
    element: "AdditionalGuestAmount",
    meaning: "Price of one extra guest.",
    attributes: [
      ["AgeQualifyingCode MinAge MaxAge", "Age of the guest."],
      ["MaxAdditionalGuests", "Most extra guests at this price."],
      ["Amount", "Price after tax; before tax if `TaxInclusive` is false."],
      ["TaxInclusive", "Whether `Amount` includes tax."],
      ...AMOUNT,
      ["Percent", "Not stored; adds a warning."],
    ],
  },
  {
    element: "MealsIncluded",
    meaning: "Meals included in the price.",
    attributes: [
      ["MealPlanCodes", "OpenTravel code list MPT, 1 to 27. The first code counts."],
      ["MealPlanIndicator", "`false`: room only."],
      ["Breakfast Lunch Dinner", "Used without a code."],
    ],
  },
];
export const RATE_LIMITS = [
  "MinLOS MaxLOS StayOverDate",
  "Not stored; adds a warning. See [amounts for some stays only](#amounts-for-some-stays-only).",
] as const;
export const CONTROL = "StatusApplicationControl";
