import type { ElementReference } from "./element.ts";
import { HOTEL_CODE_MEANING } from "./parts.ts";

const NOT_STORED = "Not stored; causes a warning.";

const NAME_MEANING = [["Name", "Category name, used if there is no `RoomType`."]] as const;

export const INV_NOTIF_ELEMENTS: readonly ElementReference[] = [
  { element: "SellableProducts", meaning: "Contains the products, all for the same property. Required.", attributes: HOTEL_CODE_MEANING },
  {
    element: "SellableProduct",
    meaning: "A category. At least one is required. Omitted attributes and elements change nothing.",
    attributes: [
      ["InvTypeCode InvCode", "Category code. One is required; if both are sent, they must be equal. A new code creates the category."],
      ["InvStatusType", "`Initial`, `Active`, `Modify`, or `Deactivated`, which makes the category inactive."],
      ["InvNotifType", "`New`, `Full`, `Overlay`, `Delta`, or `Remove`, which makes the category inactive."],
      ["InvType", "`ROOM`. Other values are refused."],
      ["Start End", NOT_STORED],
    ],
  },
  { element: "GuestRoom", meaning: "Container." },
  {
    element: "Occupancy",
    meaning: "Number of guests. Send one element for all guests, or one per age group.",
    attributes: [
      ["MinOccupancy MaxOccupancy", "Minimum and maximum number of guests. The default maximum is the sum of adults and children."],
      ["AgeQualifyingCode", "10: adults. 8: children. Other codes cause a warning."],
      ["MaxAdultOccupancy MaxChildOccupancy", "Maximum number of adults and children."],
      ["MinAge MaxAge", NOT_STORED],
    ],
  },
  {
    element: "Room",
    meaning: "Name, type and size of the category.",
    attributes: [
      ["RoomType", "Name."],
      ["RoomClassificationCode", "OpenTravel code list GRI."],
      ["SizeMeasurement SizeMeasurementUnit", "Size in square metres (`sqm`). Other units cause a warning."],
      ["Quantity NumberOfUnits", NOT_STORED],
    ],
  },
  { element: "Amenities", meaning: "Replaces the list of amenities." },
  { element: "Amenity", meaning: "One amenity.", attributes: [["AmenityCode RoomAmenityCode", "OpenTravel code list RMA."]] },
  { element: "Description", meaning: "The category's description, or its name if there is no `RoomType`.", attributes: NAME_MEANING },
  { element: "LongDescription", meaning: "The category's description, if `Description` contains the name.", attributes: NAME_MEANING },
  {
    element: "Text",
    meaning: "Text in one language.",
    attributes: [
      ["Language", "ISO 639-1, such as `de`."],
      ["TextFormat", "`PlainText` or `HTML`."],
    ],
  },
  { element: "RoomLevelFees", is: "notStored", meaning: NOT_STORED },
];
