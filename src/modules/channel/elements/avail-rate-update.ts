import type { ElementReference } from "./element.ts";

const CLOSED = ["closed", "`true`: not for sale. `false`: for sale."] as const;
const STAY = ["lengthOfStay", "The rate is the price of a night in stays of this many nights. Default 1."] as const;
const RATE = ["rate", "Price of a night. Whether it includes tax is a setting of the property."] as const;
/** Other attributes that may limit a line. */
const LIMITS: Pick<ElementReference, "narrowing" | "notStored" | "harmless"> = {
  narrowing: [],
  notStored: "status",
  harmless: "code name",
};

/** Expedia's message. Its elements have no text content. */
export const AVAIL_RATE_UPDATE: readonly ElementReference[] = [
  { element: "AvailRateUpdateRQ", meaning: "", narrowing: [] },
  {
    element: "Authentication",
    meaning: "Credentials, unless the request has them in its headers.",
    attributes: [["username password", "The sender's name and secret."]],
  },
  {
    element: "Hotel",
    meaning: "The property. Required unless the sender has access to one property only.",
    attributes: [["id", "Property code."]],
    ...LIMITS,
  },
  { element: "AvailRateUpdate", meaning: "Room types, each for all of its date ranges. Omitted in the 2007 format.", narrowing: [] },
  {
    element: "DateRange",
    meaning: "A range of nights. At least one is required.",
    attributes: [
      ["from to", "First and last night, both included."],
      ["sun mon tue wed thu fri sat", "Limits the range to these weekdays. See [weekdays](#weekdays)."],
    ],
    narrowing: [],
  },
  {
    element: "RoomType",
    meaning: "A category. At least one is required.",
    attributes: [["id", "Category code."], CLOSED],
    ...LIMITS,
    narrowing: [["channel", "Refused, like unknown attributes that may limit the line."]],
  },
  {
    element: "Inventory",
    meaning: "Rooms of the category.",
    attributes: [["totalInventoryAvailable", "Rooms that can be sold."]],
    narrowing: [],
    notStored: "flexibleAllocation",
  },
  { element: "RatePlan", meaning: "A rate plan of the category.", attributes: [["id", "Rate plan code."], CLOSED], ...LIMITS },
  { element: "Rate", meaning: "Prices.", attributes: [["currency", "ISO 4217. Default: the property's."], STAY], narrowing: [] },
  { element: "PerDay", meaning: "Price per room.", attributes: [RATE, STAY], narrowing: [] },
  { element: "PerPerson", meaning: "Price per guest.", attributes: [RATE, STAY], narrowing: [] },
  {
    element: "PerOccupancy",
    meaning: "Price for a number of guests.",
    attributes: [["occupancy", "Number of guests."], RATE, STAY],
    narrowing: [],
  },
  {
    element: "Restrictions",
    meaning: "Restrictions of the rate plan.",
    attributes: [
      [
        "minLOS maxLOS",
        "Minimum and maximum stay for guests who arrive, or with `expediaStays=through` for every stay that includes the night. A minimum of 0 or 1 and a maximum of 0 mean no limit.",
      ],
      ["closedToArrival closedToDeparture", "`true` or `false`."],
    ],
    narrowing: [],
  },
];
