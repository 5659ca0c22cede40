import type { ElementReference } from "./element.ts";
import { HOTEL_CODE_MEANING } from "./parts.ts";
import { PROPERTY_ELEMENTS } from "./property-parts.ts";

export const DESCRIPTIVE_CONTENT_NOTIF_ELEMENTS: readonly ElementReference[] = [
  {
    element: "HotelDescriptiveContents",
    meaning: "Except in AlpineBits, the property code may be sent here.",
    attributes: HOTEL_CODE_MEANING,
  },
  { element: "HotelDescriptiveContent", meaning: "The property.", attributes: HOTEL_CODE_MEANING },
  { element: "FacilityInfo", meaning: "Container." },
  {
    element: "GuestRooms",
    meaning:
      "The categories. Required unless the message describes the property. **An empty list deactivates every category**, unless the message also describes the property.",
  },
  {
    element: "GuestRoom",
    meaning:
      "The first element with a given `Code` describes the category. Each further element with that `Code` describes one of its physical rooms.",
    attributes: [
      ["Code", "Category code. A new code creates the category."],
      ["RoomTypeCode InvTypeCode", "Category code, used if there is no `Code`."],
      [
        "ID",
        "Former category code, to rename the category. The category with the former code becomes inactive unless the message also contains it.",
      ],
      ["RoomTypeName", "Name, used if there is no description with `InfoCode` 25."],
      [
        "MinOccupancy MaxOccupancy MaxAdultOccupancy MaxChildOccupancy",
        "Minimum and maximum number of guests, and maximum number of adults and children. AlpineBits requires the first two.",
      ],
    ],
  },
  {
    element: "TypeRoom",
    meaning: "Type and size of the category, or the name of a physical room.",
    attributes: [
      ["RoomTypeCode InvTypeCode", "Category code. Takes precedence over the codes in `GuestRoom`."],
      ["StandardOccupancy", "Standard number of guests. Required in AlpineBits."],
      ["RoomClassificationCode", "OpenTravel code list GRI. Required in AlpineBits."],
      ["RoomType", "Type of lodging. AlpineBits allows 1 to 9."],
      ["Size", "Size in square metres."],
      ["RoomID", "Name of a physical room. The number of rooms listed becomes the category's room count."],
    ],
  },
  { element: "Amenities", meaning: "Replaces the list of amenities." },
  { element: "Amenity", meaning: "One amenity.", attributes: [["RoomAmenityCode", "OpenTravel code list RMA."]] },
  { element: "MultimediaDescriptions", meaning: "Contains descriptions and images." },
  {
    element: "MultimediaDescription",
    meaning: "Contains descriptions or images of one kind.",
    attributes: [["InfoCode", "25: name. 1: description. 23: pictures. AlpineBits requires 25 and allows only these three."]],
  },
  { element: "TextItems", meaning: "Contains descriptions." },
  { element: "TextItem", meaning: "Container." },
  {
    element: "Description",
    meaning: "Text in one language.",
    attributes: [
      ["Language", "ISO 639-1, such as `de`."],
      ["TextFormat", "`PlainText` or `HTML`."],
    ],
  },
  { element: "ImageItems", meaning: "Pictures." },
  {
    element: "ImageItem",
    meaning: "One picture.",
    attributes: [["Category", "OpenTravel code list PIC. Required in AlpineBits; not stored."]],
  },
  { element: "ImageFormat", meaning: "Container. If there are several, the first `URL` is used." },
  { element: "URL", meaning: "The picture's http or https URL." },
  ...PROPERTY_ELEMENTS,
];
