import type { ElementReference } from "./element.ts";
import {
  ALL_RATES_MEANING,
  CATEGORY_MEANING,
  CONTROL_ELEMENT,
  CONTROL_PARTS,
  DAY_ATTRIBUTES,
  DISTRIBUTION_ELEMENTS,
  HOTEL_ATTRIBUTES,
  LINE_NAME_ELEMENT,
  NIGHTS_MEANING,
  PLAN_MEANING,
} from "./parts.ts";
import { PRICE_MEANING, RATE_LIMITS, RATE_PARTS, RATE_STATUS, RATE_UNSUPPORTED, TERMS_MEANING } from "./rates.ts";

export const RATE_AMOUNT_NOTIF_ELEMENTS: readonly ElementReference[] = [
  {
    element: "OTA_HotelRateAmountNotifRQ",
    meaning: "",
    attributes: [["NotifType", "`Overlay` (default), `Delta` or `New`, `Remove`. See [replacing amounts](#replacing-amounts)."]],
    notStored: "NotifScopeType",
  },
  { element: "RateAmountMessages", meaning: "Contains the message's lines, all for the same property. Required.", ...HOTEL_ATTRIBUTES },
  {
    element: "RateAmountMessage",
    meaning: "A line. At least one is required.",
    attributes: [["LocatorID", "The sender's ID for the line, returned in errors as `RecordID`."], TERMS_MEANING],
    narrowing: [["InvTypeCode InvCode RatePlanCode", "Refused unless the line has the same value."]],
  },
  LINE_NAME_ELEMENT,
  {
    element: CONTROL_ELEMENT,
    meaning: "Category, plan and nights. Required.",
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
  { element: "Rates", meaning: "Contains the line's rates. May be empty with `Remove`.", attributes: [TERMS_MEANING], narrowing: [] },
  {
    element: "Rate",
    meaning: "Prices for the rate's own nights if it has dates, otherwise for the line's nights.",
    attributes: [
      [`Start End Duration ${DAY_ATTRIBUTES}`, "Nights. They take precedence over the line's nights."],
      ["InvTypeCode InvCode", "Category code, used if the line has none."],
      ["RateTimeUnit", "`Day`."],
      ["UnitMultiplier", "Length of stay that the price applies to, in nights. Default: 1."],
      ["CurrencyCode DecimalPlaces AgeQualifyingCode", "Defaults for the amounts in this rate."],
      ...PRICE_MEANING,
      RATE_LIMITS,
      RATE_STATUS,
    ],
    ...RATE_UNSUPPORTED,
  },
  ...RATE_PARTS,
];
