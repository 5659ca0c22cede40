import type { ElementReference } from "./element.ts";

/** Descriptive content about the property itself. */
export const PROPERTY_ELEMENTS: readonly ElementReference[] = [
  { element: "HotelInfo", meaning: "Name, stars, description and coordinates of the property." },
  { element: "HotelName", meaning: "Property name. Takes precedence over the attribute." },
  {
    element: "HotelCategory",
    meaning: "Stars.",
    attributes: [["CodeDetail", "The name of a rating system and 0 to 5 stars, such as `Stars:4s`. `s` (superior) adds half a star."]],
  },
  {
    element: "Descriptions",
    meaning:
      "The property's description. Roomrack uses the description with `InfoCode` 1, otherwise the one without a code, otherwise the one with code 17.",
  },
  {
    element: "Position",
    meaning: "Coordinates.",
    attributes: [["Latitude Longitude", "Degrees, rounded to 7 decimal places. Both are required."]],
  },
  { element: "Policies", meaning: "Contains check-in and check-out times." },
  { element: "Policy", meaning: "Container." },
  {
    element: "PolicyInfo",
    meaning: "Check-in and check-out times. Ignored if there is a `StayRequirement`.",
    attributes: [["CheckInTime CheckOutTime", "Start of check-in and end of check-out, or ranges such as `14:00-22:00`."]],
  },
  {
    element: "StayRequirement",
    meaning: "Check-in and check-out times.",
    attributes: [
      ["StayContext", "`Checkin` or `Checkout`."],
      ["Start End", "Earliest and latest time. The start of check-out is not stored."],
    ],
  },
  { element: "AffiliationInfo", meaning: "Container." },
  { element: "Awards", meaning: "Container." },
  {
    element: "Award",
    meaning: "Stars or a review score. Only stars are stored.",
    attributes: [
      ["Rating", "0 to 5 stars, in half-star steps. Higher values are scores, which are ignored with a warning."],
      ["OfficialAppointmentInd", "`true`: takes precedence over other awards and `HotelCategory`. `false`: a review score."],
    ],
    harmless: "Provider",
  },
  { element: "ContactInfos", meaning: "Contact details of the property." },
  {
    element: "ContactInfo",
    meaning: "One contact.",
    attributes: [
      ["Location", "6 (the property itself) takes precedence over other values."],
      [
        "ContactProfileType",
        "`general` takes precedence over other types, such as a billing contact. For the address, `physicallocation` takes precedence.",
      ],
    ],
  },
  {
    element: "Addresses",
    meaning: "Roomrack stores the address in one of the property's languages, otherwise the English one, otherwise the first.",
  },
  { element: "Address", meaning: "One address.", attributes: [["Language", "ISO 639-1, such as `de`."]] },
  { element: "AddressLine", meaning: "Street. Multiple lines are joined." },
  { element: "CityName", meaning: "City." },
  { element: "PostalCode", meaning: "Postal code." },
  { element: "StateProv", meaning: "Region.", attributes: [["StateCode", "Takes precedence over the element's text."]] },
  { element: "CountryName", meaning: "Country code or English name.", attributes: [["Code", "Two-letter ISO 3166 code."]] },
  { element: "Phones", meaning: "The first one that is not a fax is used." },
  {
    element: "Phone",
    meaning: "One phone.",
    attributes: [
      ["CountryAccessCode AreaCityCode PhoneNumber", "Combined into one number."],
      ["PhoneTechType", "3: a fax, which is not stored."],
    ],
  },
  { element: "Emails", meaning: "The first one is used." },
  { element: "Email", meaning: "Email address." },
  {
    element: "URL",
    meaning: "In `ContactInfos`, the property's website.",
    attributes: [["ID", "`WEBSITE` or absent. Links with other IDs, such as social media links, are ignored."]],
  },
  { element: "GivenName", meaning: "Contact name, together with `Surname`." },
];
