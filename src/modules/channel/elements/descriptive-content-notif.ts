import type { ElementReference } from "./element.ts";
import { HOTEL_CODE } from "./parts.ts";
import { PROPERTY_PARTS } from "./property-parts.ts";

export const DESCRIPTIVE_CONTENT_NOTIF: readonly ElementReference[] = [
  { element: "HotelDescriptiveContents", meaning: "Outside AlpineBits the property may be named here.", attributes: HOTEL_CODE },
  { element: "HotelDescriptiveContent", meaning: "The property.", attributes: HOTEL_CODE },
  { element: "FacilityInfo", meaning: "Container." },
  {
    element: "GuestRooms",
    meaning:
      "The categories. Required unless the message describes the property. **An empty list deactivates every category**, unless the message also describes the property.",
  },
  {
    element: "GuestRoom",
    meaning: "The first element with a `Code` describes the category. Each further one is a physical room of that category.",
    attributes: [
      ["Code", "Category code. A new code creates the category."],
      ["RoomTypeCode InvTypeCode", "Category code if there is no `Code`."],
      ["ID", "Former code, to rename a category. The former category becomes inactive, unless the message has it too."],
      ["RoomTypeName", "Name, if no text has `InfoCode` 25."],
      [
        "MinOccupancy MaxOccupancy MaxAdultOccupancy MaxChildOccupancy",
        "Minimum and maximum number of guests, and maximum number of adults and children. AlpineBits requires the first two.",
      ],
    ],
  },
  {
    element: "TypeRoom",
    meaning: "Kind and size of the category, or the name of a physical room.",
    attributes: [
      ["RoomTypeCode InvTypeCode", "Category code. Takes precedence over the codes of `GuestRoom`."],
      ["StandardOccupancy", "Usual number of guests. Required in AlpineBits."],
      ["RoomClassificationCode", "OpenTravel code list GRI. Required in AlpineBits."],
      ["RoomType", "Kind of lodging, 1 to 9 in AlpineBits."],
      ["Size", "Square metres."],
      ["RoomID", "Name of a physical room. The category has as many rooms as are listed."],
    ],
  },
  { element: "Amenities", meaning: "Replaces the list of amenities." },
  { element: "Amenity", meaning: "One amenity.", attributes: [["RoomAmenityCode", "OpenTravel code list RMA."]] },
  { element: "MultimediaDescriptions", meaning: "Texts and pictures." },
  {
    element: "MultimediaDescription",
    meaning: "Texts or pictures of one kind.",
    attributes: [["InfoCode", "25: name. 1: description. 23: pictures. AlpineBits requires 25 and allows no others."]],
  },
  { element: "TextItems", meaning: "Texts." },
  { element: "TextItem", meaning: "Container." },
  {
    element: "Description",
    meaning: "A text in one language.",
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
  { element: "URL", meaning: "Address of the picture, http or https." },
  ...PROPERTY_PARTS,
];
