import type { ElementReference } from "./element.ts";
import { DAY_ATTRIBUTES, STAY_ELEMENTS } from "./parts.ts";

export const RULE_OFFSETS = ["MinAdvancedBookingOffset MaxAdvancedBookingOffset", "Same as in `RestrictionStatus`."] as const;

export const RULE_UNSUPPORTED: Pick<ElementReference, "narrowing" | "notStored" | "harmless"> = {
  narrowing: [
    ["RatePlanCode", "Refused unless it is the rule's plan."],
    ["InvType", "Details about the line's category. Refused if the line has no category."],
  ],
  notStored:
    "Quantity MinTotalOccupancy MaxTotalOccupancy GenerallyBookable MaxContiguousBookings AbsoluteCutoff OffsetDuration OffsetCalculationMode Status",
  harmless: "URI ForceGuaranteeOffset DepositWaiverOffset AbsoluteDropTime PriceViewable QualifiedRateYN AddressRequired",
};

/** The elements inside `BookingRule` that set restrictions or limit the rule. */
export const RULE_PARTS: readonly ElementReference[] = [
  { element: "DOW_Restrictions", meaning: "Allowed weekdays for arrival and departure.", narrowing: [] },
  daysOfWeek("ArrivalDaysOfWeek", "Nights on other weekdays are closed to arrival."),
  daysOfWeek("DepartureDaysOfWeek", "Nights on other weekdays are closed to departure."),
  ...["AvailableDaysOfWeek", "MinimumDaysOfWeek", "RequiredDaysOfWeek"].map((element) =>
    daysOfWeek(element, "Not stored. Causes a warning if a weekday is excluded."),
  ),
  ...["Viewerships", "Viewership", "ViewershipCodes", "ViewershipCode"].map((element): ElementReference => ({
    element,
    is: "narrowing",
    meaning: "Restricts who may see the rule. Refused.",
  })),
  { element: "InventoryInfo", is: "narrowing", meaning: "Refused unless the line has the same category." },
  ...STAY_ELEMENTS,
];

function daysOfWeek(element: string, meaning: string): ElementReference {
  return { element, meaning, attributes: [[DAY_ATTRIBUTES, "Weekdays."]], narrowing: [] };
}
