import type { ElementReference } from "./element.ts";
import {
  ALL_RATES_MEANING,
  CATEGORY_MEANING,
  COMPLETE_SET_ELEMENT,
  CONTROL_ELEMENT,
  CONTROL_PARTS,
  DISTRIBUTION_ELEMENTS,
  HOTEL_ATTRIBUTES,
  LINE_NAME_ELEMENT,
  NIGHTS_MEANING,
  PLAN_MEANING,
  STAY_ELEMENTS,
} from "./parts.ts";

const BEST_RATES: ElementReference["readWith"] = { price: "BestAvailableRate" };
const NOT_STORED = "Not stored.";

export const AVAIL_NOTIF_ELEMENTS: readonly ElementReference[] = [
  COMPLETE_SET_ELEMENT,
  { element: "AvailStatusMessages", meaning: "Contains the message's lines, all for the same property. Required.", ...HOTEL_ATTRIBUTES },
  {
    element: "AvailStatusMessage",
    meaning: "A line. At least one is required.",
    attributes: [
      ["BookingLimit", "Number of rooms that can be sold. If the line has a plan, see [rate plan limits](#rate-plan-limits)."],
      ["BookingLimitMessageType", "`SetLimit` (default) or `RemoveLimit`, which clears the count. `AdjustLimit` is refused."],
      ["BookingThreshold", "On-request threshold. Stored together with the limit."],
      ["LocatorID", "The sender's ID for the line, returned in errors as `RecordID`."],
    ],
    narrowing: [
      ["RoomGender SharedRoomInd", "Refused unless the line applies to both genders or `SharedRoomInd` is false."],
      ["InvTypeCode InvCode RatePlanCode", "Refused unless the line has the same value."],
    ],
    harmless: "Override",
  },
  LINE_NAME_ELEMENT,
  {
    element: CONTROL_ELEMENT,
    meaning:
      "Category, plan and nights. Required. Without a category, restrictions apply to every category. Without a plan, they apply to the category itself.",
    attributes: [
      ...CATEGORY_MEANING,
      ...PLAN_MEANING,
      ["AllInvCode", "`true`: the line applies to every category."],
      ALL_RATES_MEANING,
      ...NIGHTS_MEANING,
    ],
    ...CONTROL_PARTS,
  },
  ...DISTRIBUTION_ELEMENTS,
  ...["BookingLimit", "BookingLimitMessageType", "BookingThreshold"].map((element) => ({
    element,
    meaning: "Same as the `AvailStatusMessage` attribute.",
    narrowing: [],
  })),
  ...STAY_ELEMENTS,
  { element: "BestAvailableRates", is: "notStored", readWith: BEST_RATES, meaning: "List of prices.", narrowing: [] },
  {
    element: "BestAvailableRate",
    is: "notStored",
    readWith: BEST_RATES,
    meaning: "Room price after tax. Stored only if the sender's `price` setting is `BestAvailableRate`.",
    attributes: [
      ["Amount", "The price. Required."],
      ["CurrencyCode DecimalPlaces", "Same as in `BaseByGuestAmt`."],
    ],
    narrowing: [],
  },
  { element: "HurdleRate", is: "notStored", meaning: NOT_STORED },
  { element: "Delta", is: "notStored", meaning: NOT_STORED },
];
