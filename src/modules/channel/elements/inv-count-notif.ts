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
} from "./parts.ts";

export const INV_COUNT_NOTIF_ELEMENTS: readonly ElementReference[] = [
  COMPLETE_SET_ELEMENT,
  { element: "Inventories", meaning: "Contains the message's lines, all for the same property. Required.", ...HOTEL_ATTRIBUTES },
  {
    element: "Inventory",
    meaning: "A line. At least one is required. **Without `InvCounts` the category is sold out**, unless part of the line was not read.",
    narrowing: [["InvTypeCode InvCode RatePlanCode", "Refused unless the line has the same value."]],
    notStored: "Count CountType Available Availability Allotment Rooms Quantity",
  },
  LINE_NAME_ELEMENT,
  {
    element: CONTROL_ELEMENT,
    meaning: "Category and nights. Required.",
    attributes: [
      ...CATEGORY_MEANING,
      [
        "RatePlanCode RatePlanID",
        "Rate plan code. With it, the count is the plan's allotment, and the category's own count stays unchanged.",
      ],
      ["AllInvCode", "`true` without counts: the property is closed on these nights (closing season)."],
      ALL_RATES_MEANING,
      ...NIGHTS_MEANING,
    ],
    ...CONTROL_PARTS,
  },
  ...DISTRIBUTION_ELEMENTS,
  { element: "InvCounts", meaning: "Contains the line's counts.", narrowing: [] },
  { element: "InvCountList", meaning: "Same as `InvCounts`.", narrowing: [] },
  {
    element: "InvCount",
    meaning: "One count.",
    attributes: [
      ["CountType", "OpenTravel code list INV. Default: 2. See [count types](#count-types). Required in AlpineBits."],
      ["Count", "Number of rooms. Required."],
      [
        "ActionType",
        "`Allocation` and `Remaining` are accepted. `Adjustment` and `Used` are refused, because they don't say how many rooms are left.",
      ],
    ],
    narrowing: [],
    harmless: "AdjustReason",
  },
  { element: "InvBlockCutoff", is: "notStored", meaning: "Not stored." },
  {
    element: "OffSell",
    meaning: "Overbooking allowance. Not stored; causes a warning. A line that contains only OffSell has no effect.",
    harmless: "OffSellValueType OffSellValue",
  },
];
