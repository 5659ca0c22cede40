import type { ElementReference } from "./element.ts";

const DETAILS_MEANING = "Details of the room or package. Has no effect.";

/** Elements of Google's property data message. */
export const TRANSACTION_ELEMENTS: readonly ElementReference[] = [
  {
    element: "Transaction",
    meaning: "",
    attributes: [
      ["id partner", "Returned in the response."],
      ["timestamp", "Stored in the log."],
    ],
    narrowing: [],
  },
  {
    element: "PropertyDataSet",
    meaning: "Contains the records, all for the same property.",
    attributes: [
      [
        "action",
        "`delta` (default): other records are kept. `overlay`: if rooms are sent, other categories become inactive; if packages are sent, other plans are removed.",
      ],
    ],
    narrowing: [],
  },
  { element: "Property", meaning: "Property code. Required unless the sender has access to only one property." },
  { element: "RoomData", meaning: "A category.", narrowing: [] },
  { element: "RoomID", meaning: "Category code. Required." },
  { element: "PackageData", meaning: "A rate plan. Its name is stored.", narrowing: [] },
  { element: "PackageID", meaning: "Rate plan code. Required." },
  { element: "Name", meaning: "Name of the category or plan." },
  { element: "Description", meaning: "Description of the category." },
  {
    element: "Text",
    meaning: "Text in one language.",
    attributes: [["text language", "The text. Only one language is stored: the property's, if present."]],
  },
  { element: "Capacity", meaning: "Maximum number of guests." },
  { element: "AdultCapacity", meaning: "Maximum number of adults." },
  { element: "ChildCapacity", meaning: "Maximum number of children." },
  { element: "OccupancySettings", meaning: "Limits on the number of guests." },
  { element: "MinOccupancy", meaning: "Minimum number of guests." },
  { element: "PhotoURL", meaning: "A picture." },
  { element: "URL", meaning: "The picture's URL." },
  { element: "Caption", is: "harmless", meaning: "Has no effect." },
  { element: "MinAge", is: "notStored", meaning: "Causes a warning." },
  { element: "AllowablePackageIDs", is: "notStored", meaning: "Packages available for the room. Causes a warning." },
  { element: "AllowablePackageID", is: "notStored", meaning: "One package." },
  { element: "AllowableRoomIDs", is: "notStored", meaning: "Rooms in the package. Causes a warning." },
  { element: "Occupancy", is: "notStored", meaning: "Occupancy of the package. Causes a warning." },
  { element: "ChargeCurrency", is: "notStored", meaning: "Where guests pay. Causes a warning." },
  { element: "Refundable", is: "notStored", meaning: "Cancellation terms. Causes a warning." },
  { element: "RoomFeatures", is: "harmless", meaning: DETAILS_MEANING },
  { element: "PhysicalRoomFeatures", is: "harmless", meaning: DETAILS_MEANING },
  { element: "BreakfastIncluded", is: "harmless", meaning: DETAILS_MEANING },
  { element: "InternetIncluded", is: "harmless", meaning: DETAILS_MEANING },
  { element: "ParkingIncluded", is: "harmless", meaning: DETAILS_MEANING },
];
