import {
  BLOCKS,
  CATEGORY,
  COMPLETE_SET,
  CONTROL,
  DAYS,
  HOTEL_CODE,
  LINE_NAME,
  NIGHTS,
  PLAN,
  RATE_LIMITS,
  RATE_PARTS,
  STAYS,
  type ElementReference,
} from "./element-parts.ts";
import { PROPERTY_PARTS } from "./property-parts.ts";

/** By root element. */
export const elements: Readonly<Record<string, readonly ElementReference[]>> = {
  OTA_PingRQ: [{ element: "EchoData", meaning: "Returned unchanged. In AlpineBits, the handshake as JSON." }],
  OTA_HotelInvCountNotifRQ: [
    COMPLETE_SET,
    { element: "Inventories", meaning: "All lines, for one property. Required.", attributes: HOTEL_CODE },
    { element: "Inventory", meaning: "One line. At least one. **Without `InvCounts` the category is sold out.**" },
    LINE_NAME,
    {
      element: CONTROL,
      meaning: "Category and nights. Required.",
      attributes: [
        ...CATEGORY,
        ["RatePlanCode RatePlanID", "The count is the plan's allotment; the category's own count stays unchanged."],
        ["AllInvCode", "`true` without counts: the property is closed on these nights (closing season)."],
        ...NIGHTS,
        BLOCKS,
      ],
    },
    { element: "InvCounts", meaning: "Counts of the line." },
    {
      element: "InvCount",
      meaning: "One count.",
      attributes: [
        ["CountType", "Kind of count, OpenTravel code list INV. Default 2. See [count types](#count-types). Required in AlpineBits."],
        ["Count", "Number of rooms. Required."],
        [
          "ActionType",
          "`Allocation` and `Remaining` are accepted. `Adjustment` and `Used` are refused, because they are not numbers of rooms left.",
        ],
      ],
    },
    { element: "OffSell", meaning: "Overbooking allowance. Not stored; adds a warning. A line with nothing else changes nothing." },
  ],
  OTA_HotelAvailNotifRQ: [
    COMPLETE_SET,
    { element: "AvailStatusMessages", meaning: "All lines, for one property. Required.", attributes: HOTEL_CODE },
    {
      element: "AvailStatusMessage",
      meaning: "One line. At least one.",
      attributes: [
        ["BookingLimit", "Rooms of the category that can be sold, whatever plan the line names."],
        ["BookingLimitMessageType", "`SetLimit` (default) or `RemoveLimit`, which clears the count. `AdjustLimit` is refused."],
        ["BookingThreshold", "Stored with the limit and shown."],
        ["LocatorID", "Name of the line in errors (`RecordID`)."],
      ],
    },
    LINE_NAME,
    {
      element: CONTROL,
      meaning:
        "Category, plan and nights. Required. Restrictions without a category apply to every category, without a plan to the category itself.",
      attributes: [...CATEGORY, ...PLAN, ["AllInvCode", "`true`: every category."], ...NIGHTS, BLOCKS],
    },
    ...STAYS,
  ],
  OTA_HotelRateAmountNotifRQ: [
    {
      element: "OTA_HotelRateAmountNotifRQ",
      meaning: "",
      attributes: [["NotifType", "`Overlay` (default), `Delta` or `New`, `Remove`. See [replacing amounts](#replacing-amounts)."]],
    },
    { element: "RateAmountMessages", meaning: "All lines, for one property. Required.", attributes: HOTEL_CODE },
    {
      element: "RateAmountMessage",
      meaning: "One line. At least one.",
      attributes: [["LocatorID", "Name of the line in errors (`RecordID`)."]],
    },
    LINE_NAME,
    {
      element: CONTROL,
      meaning: "Category, plan and nights. Required.",
      attributes: [...CATEGORY, ...PLAN, ["AllInvCode", "`true`: every category."], ...NIGHTS, BLOCKS],
    },
    { element: "Rates", meaning: "The rates of the line. May be empty with `Remove`." },
    {
      element: "Rate",
      meaning: "Prices for the nights of the line, or for its own nights.",
      attributes: [
        [`Start End Duration ${DAYS}`, "Take precedence over the line's."],
        ["InvTypeCode InvCode", "Category, if the line names none."],
        ["RateTimeUnit", "`Day`."],
        ["UnitMultiplier", "Price of a stay of this many nights. Default 1."],
        ["CurrencyCode DecimalPlaces AgeQualifyingCode", "Defaults for the amounts in this rate."],
        RATE_LIMITS,
      ],
    },
    ...RATE_PARTS,
  ],
  OTA_HotelRatePlanNotifRQ: [
    COMPLETE_SET,
    { element: "RatePlans", meaning: "All rate plans, for one property. Required.", attributes: HOTEL_CODE },
    {
      element: "RatePlan",
      meaning: "One rate plan, or a part of it.",
      attributes: [
        ["RatePlanCode", "Plan code. Required; outside AlpineBits `RatePlanID` is enough."],
        ["RatePlanID", "Code of a group of joined plans."],
        [
          "RatePlanNotifType",
          "`Full` or `New`, `Overlay`, `Delta`, `Remove`. Required in AlpineBits. See [replacing plans](#replacing-plans).",
        ],
        ["RatePlanStatusType", "Outside AlpineBits, `Deactivated` removes the plan. `Initial` and `Active` change nothing."],
        ["CurrencyCode", "Default currency of its amounts."],
        ["RatePlanType RatePlanCategory", "Stored as sent. AlpineBits allows only type 12."],
        ["RatePlanQualifier", "Boolean: whether the plan is the master of its group."],
        ["Start End Duration", "Outside AlpineBits, default nights of its rates and rules. In AlpineBits, when the plan is shown."],
      ],
    },
    { element: "SellableProducts", meaning: "Outside AlpineBits: the categories that rates and rules without a category apply to." },
    { element: "SellableProduct", meaning: "One category.", attributes: [["InvTypeCode InvCode", "Category code. One is required."]] },
    { element: "BookingRules", meaning: "Restrictions of the plan." },
    {
      element: "BookingRule",
      meaning: "Restrictions for some nights and one category, or all.",
      attributes: [
        ["CodeContext", "`ROOMTYPE`, together with `Code`. A rule with another context is ignored with a warning."],
        ["Code InvTypeCode InvCode", "Category. Without one the rule applies to all categories of the plan."],
        [`Start End Duration ${DAYS}`, "Nights. Without `Start` and `End`: the nights of the plan; in AlpineBits every night."],
        ["MinAdvancedBookingOffset MaxAdvancedBookingOffset", "As in `RestrictionStatus`."],
      ],
    },
    { element: "DOW_Restrictions", meaning: "Allowed weekdays of arrival and departure." },
    { element: "ArrivalDaysOfWeek", meaning: "Nights on other weekdays are closed to arrival.", attributes: [[DAYS, "Allowed weekdays."]] },
    {
      element: "DepartureDaysOfWeek",
      meaning: "Nights on other weekdays are closed to departure.",
      attributes: [[DAYS, "Allowed weekdays."]],
    },
    ...STAYS,
    { element: "Rates", meaning: "Prices. The first `Rate` without nights and category is the static rate." },
    {
      element: "Rate",
      meaning: "Prices for some nights and one category, or all.",
      attributes: [
        [`Start End ${DAYS}`, "Nights. Outside AlpineBits the default is the nights of the plan."],
        ["InvTypeCode InvCode", "Category. AlpineBits accepts only `InvTypeCode`."],
        ["Duration", "Length of stay that the price is for: `P3N`."],
        ["RateTimeUnit UnitMultiplier", "The same, as `Day` and a number."],
        ["CurrencyCode DecimalPlaces AgeQualifyingCode", "Defaults for the amounts in this rate."],
        RATE_LIMITS,
      ],
    },
    ...RATE_PARTS,
    { element: "Supplements", meaning: "Stored as sent." },
    { element: "Offers", meaning: "Stored as sent. AlpineBits checks their form." },
    { element: "Description", meaning: "Texts, stored as sent. The `title` is the plan's name." },
  ],
  OTA_HotelRatePlanRQ: [
    { element: "RatePlans", meaning: "The property may be named here instead of in `HotelRef`.", attributes: HOTEL_CODE },
    { element: "RatePlan", meaning: "The query." },
    {
      element: "DateRange",
      meaning: "Nights. Several are allowed; without any, every night from today on.",
      attributes: [["Start End Duration", "Without `Start` the range begins today; without an end it reaches to the last stored night."]],
    },
    { element: "RatePlanCandidates", meaning: "The plans. Without any, every plan." },
    {
      element: "RatePlanCandidate",
      meaning: "One plan, or joined plans.",
      attributes: [
        ["RatePlanCode", "Plan code."],
        ["RatePlanID", "All plans joined under this code, if there is no `RatePlanCode`."],
      ],
    },
    { element: "HotelRef", meaning: "The property.", attributes: HOTEL_CODE },
  ],
  OTA_HotelDescriptiveContentNotifRQ: [
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
      meaning: "The first one of a `Code` describes the category. Each further one is a physical room of it.",
      attributes: [
        ["Code", "Category code. A new code creates the category."],
        ["RoomTypeCode InvTypeCode", "Category code if there is no `Code`."],
        ["ID", "Former code, to rename a category. The former category becomes inactive, unless the message has it too."],
        ["RoomTypeName", "Name, if no text has `InfoCode` 25."],
        [
          "MinOccupancy MaxOccupancy MaxAdultOccupancy MaxChildOccupancy",
          "Fewest and most guests, and most adults and children among them. AlpineBits requires the first two.",
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
        ["RoomID", "Name of a physical room. The number of these is the number of rooms."],
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
    { element: "ImageFormat", meaning: "Container. If there are several, the first `URL` counts." },
    { element: "URL", meaning: "Address of the picture, http or https." },
    ...PROPERTY_PARTS,
  ],
  OTA_HotelDescriptiveInfoRQ: [
    { element: "HotelDescriptiveInfos", meaning: "Container." },
    { element: "HotelDescriptiveInfo", meaning: "The property. Required.", attributes: HOTEL_CODE },
  ],
};
