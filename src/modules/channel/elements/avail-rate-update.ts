import type { ElementReference } from "./element.ts";

const CLOSED_MEANING = ["closed", "`true`: not for sale. `false`: for sale."] as const;
const STAY_MEANING = [
  "lengthOfStay",
  "Length of stay that the rate applies to, in nights. The rate is still the price per night. Default: 1.",
] as const;
const RATE_MEANING = ["rate", "Price per night. A property setting determines whether it includes tax."] as const;
/** How to treat attributes that are not read. Unknown attributes may limit the line. */
const LIMIT_ATTRIBUTES: Pick<ElementReference, "narrowing" | "notStored" | "harmless"> = {
  narrowing: [],
  notStored: "status",
  harmless: "code name",
};

/** Expedia's message. Its elements have no text content. */
export const AVAIL_RATE_UPDATE_ELEMENTS: readonly ElementReference[] = [
  { element: "AvailRateUpdateRQ", meaning: "", narrowing: [] },
  {
    element: "Authentication",
    meaning: "Credentials, if they are not in the request headers.",
    attributes: [["username password", "The sender's name and secret."]],
  },
  {
    element: "Hotel",
    meaning: "The property. Required unless the sender has access to only one property.",
    attributes: [["id", "Property code."]],
    ...LIMIT_ATTRIBUTES,
  },
  {
    element: "AvailRateUpdate",
    meaning: "Contains room types and the date ranges that apply to all of them. The 2007 format omits this element.",
    narrowing: [],
  },
  {
    element: "DateRange",
    meaning: "A range of nights. At least one is required.",
    attributes: [
      ["from to", "First and last night, inclusive."],
      ["sun mon tue wed thu fri sat", "Limits the range to these weekdays. See [weekdays](#weekdays)."],
    ],
    narrowing: [],
  },
  {
    element: "RoomType",
    meaning: "A category. At least one is required.",
    attributes: [["id", "Category code."], CLOSED_MEANING],
    ...LIMIT_ATTRIBUTES,
    narrowing: [["channel", "Refused, as are unknown attributes that may limit the line."]],
  },
  {
    element: "Inventory",
    meaning: "Availability of the category.",
    attributes: [["totalInventoryAvailable", "Number of rooms that can be sold."]],
    narrowing: [],
    notStored: "flexibleAllocation",
  },
  {
    element: "RatePlan",
    meaning: "A rate plan of the category.",
    attributes: [["id", "Rate plan code."], CLOSED_MEANING],
    ...LIMIT_ATTRIBUTES,
  },
  {
    element: "Rate",
    meaning: "Prices.",
    attributes: [["currency", "ISO 4217 code. Default: the property's currency."], STAY_MEANING],
    narrowing: [],
  },
  { element: "PerDay", meaning: "Price per room.", attributes: [RATE_MEANING, STAY_MEANING], narrowing: [] },
  { element: "PerPerson", meaning: "Price per guest.", attributes: [RATE_MEANING, STAY_MEANING], narrowing: [] },
  {
    element: "PerOccupancy",
    meaning: "Price for a given number of guests.",
    attributes: [["occupancy", "Number of guests."], RATE_MEANING, STAY_MEANING],
    narrowing: [],
  },
  {
    element: "Restrictions",
    meaning: "Restrictions for the rate plan.",
    attributes: [
      [
        "minLOS maxLOS",
        "Minimum and maximum stay for guests who arrive on the night. With `expediaStays=through`, they apply to every stay that includes the night. A minimum of 0 or 1, or a maximum of 0, means no limit.",
      ],
      ["closedToArrival closedToDeparture", "`true` or `false`."],
    ],
    narrowing: [],
  },
];
