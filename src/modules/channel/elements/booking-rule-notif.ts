import type { ElementReference } from "./element.ts";
import {
  ALL_RATES_MEANING,
  CATEGORY_MEANING,
  COMPLETE_SET_ELEMENT,
  CONTROL_ELEMENT,
  CONTROL_PARTS,
  DAY_ATTRIBUTES,
  DISTRIBUTION_ELEMENTS,
  HOTEL_ATTRIBUTES,
  LINE_NAME_ELEMENT,
  PLAN_MEANING,
} from "./parts.ts";
import { RULE_OFFSETS, RULE_PARTS, RULE_UNSUPPORTED } from "./rules.ts";

const NOT_STORED = "Not stored.";

export const BOOKING_RULE_NOTIF_ELEMENTS: readonly ElementReference[] = [
  COMPLETE_SET_ELEMENT,
  { element: "RuleMessages", meaning: "Contains the message's lines, all for the same property. Required.", ...HOTEL_ATTRIBUTES },
  {
    element: "RuleMessage",
    meaning: "A line. At least one is required.",
    attributes: [["LocatorID", "The sender's ID for the line, returned in errors as `RecordID`."]],
    narrowing: [["InvTypeCode InvCode RatePlanCode", "Refused unless the line has the same value."]],
  },
  LINE_NAME_ELEMENT,
  {
    element: CONTROL_ELEMENT,
    meaning: "Category, plan and nights for every rule in the line. Required.",
    attributes: [
      ...CATEGORY_MEANING,
      ...PLAN_MEANING,
      ["AllInvCode", "`true`: the line applies to every category."],
      ALL_RATES_MEANING,
      [`Start End Duration ${DAY_ATTRIBUTES}`, "Nights. If the line has no dates, each rule must have its own."],
    ],
    ...CONTROL_PARTS,
  },
  ...DISTRIBUTION_ELEMENTS,
  { element: "BookingRules", meaning: "Contains the line's rules.", narrowing: [] },
  {
    element: "BookingRule",
    meaning: "A rule. At least one is required. If several set the same restriction, the last one applies.",
    attributes: [
      ["CodeContext", "`ROOMTYPE`, together with `Code`. Other values are refused."],
      ["Code InvTypeCode InvCode", "Category code, used if the line has none."],
      [`Start End Duration ${DAY_ATTRIBUTES}`, "Nights. If the line also has dates, only nights within both ranges are changed."],
      RULE_OFFSETS,
    ],
    ...RULE_UNSUPPORTED,
  },
  ...RULE_PARTS,
  { element: "AddtionalRules", is: "notStored", meaning: NOT_STORED },
  { element: "AdditionalRules", is: "notStored", meaning: NOT_STORED },
  { element: "CheckoutCharge", is: "notStored", meaning: NOT_STORED },
  { element: "AcceptableGuarantees", is: "notStored", meaning: NOT_STORED },
  { element: "CancelPenalties", is: "notStored", meaning: NOT_STORED },
  { element: "RequiredPaymts", is: "notStored", meaning: NOT_STORED },
  { element: "Description", is: "harmless", meaning: NOT_STORED },
];
