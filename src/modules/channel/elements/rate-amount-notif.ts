import type { ElementReference } from "./element.ts";
import { ALL_RATES, CATEGORY, CONTROL, CONTROL_PARTS, DAYS, DISTRIBUTION, HOTEL, LINE_NAME, NIGHTS, PLAN } from "./parts.ts";
import { PRICE_MEANING, RATE_LIMITS, RATE_PARTS, RATE_STATUS, RATE_UNSUPPORTED, TERMS } from "./rates.ts";

export const RATE_AMOUNT_NOTIF: readonly ElementReference[] = [
  {
    element: "OTA_HotelRateAmountNotifRQ",
    meaning: "",
    attributes: [["NotifType", "`Overlay` (default), `Delta` or `New`, `Remove`. See [replacing amounts](#replacing-amounts)."]],
    notStored: "NotifScopeType",
  },
  { element: "RateAmountMessages", meaning: "Contains the message's lines, all for the same property. Required.", ...HOTEL },
  {
    element: "RateAmountMessage",
    meaning: "A line. At least one is required.",
    attributes: [["LocatorID", "The sender's ID for the line, returned in errors as `RecordID`."], TERMS],
    narrowing: [["InvTypeCode InvCode RatePlanCode", "Refused unless the line has the same value."]],
  },
  LINE_NAME,
  {
    element: CONTROL,
    meaning: "Category, plan and nights. Required.",
    attributes: [...CATEGORY, ...PLAN, ["AllInvCode", "`true`: the line applies to every category."], ALL_RATES, ...NIGHTS],
    ...CONTROL_PARTS,
  },
  ...DISTRIBUTION,
  { element: "Rates", meaning: "Contains the line's rates. May be empty with `Remove`.", attributes: [TERMS], narrowing: [] },
  {
    element: "Rate",
    meaning: "Prices for the line's nights, or for its own nights.",
    attributes: [
      [`Start End Duration ${DAYS}`, "Nights. They take precedence over the line's nights."],
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
