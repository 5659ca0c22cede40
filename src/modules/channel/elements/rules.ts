import type { ElementReference } from "./element.ts";
import { DAYS, STAYS } from "./parts.ts";

export const RULE_OFFSETS = ["MinAdvancedBookingOffset MaxAdvancedBookingOffset", "As in `RestrictionStatus`."] as const;

export const RULE_UNREAD: Pick<ElementReference, "narrowing" | "notStored" | "harmless"> = {
  narrowing: [
    ["RatePlanCode", "Refused, unless it is the plan of the rule."],
    ["InvType", "Describes the category. Refused if the line names no category."],
  ],
  notStored:
    "Quantity MinTotalOccupancy MaxTotalOccupancy GenerallyBookable MaxContiguousBookings AbsoluteCutoff OffsetDuration OffsetCalculationMode Status",
  harmless: "URI ForceGuaranteeOffset DepositWaiverOffset AbsoluteDropTime PriceViewable QualifiedRateYN AddressRequired",
};

/** The elements of `BookingRule` that set restrictions or limit it. */
export const RULE_PARTS: readonly ElementReference[] = [
  { element: "DOW_Restrictions", meaning: "Allowed weekdays of arrival and departure.", narrowing: [] },
  daysOfWeek("ArrivalDaysOfWeek", "Nights on other weekdays are closed to arrival."),
  daysOfWeek("DepartureDaysOfWeek", "Nights on other weekdays are closed to departure."),
  ...["AvailableDaysOfWeek", "MinimumDaysOfWeek", "RequiredDaysOfWeek"].map((element) =>
    daysOfWeek(element, "Not stored; adds a warning if it leaves out a weekday."),
  ),
  ...["Viewerships", "Viewership", "ViewershipCodes", "ViewershipCode"].map((element): ElementReference => ({
    element,
    is: "narrowing",
    meaning: "Who may see the rule. Refused.",
  })),
  { element: "InventoryInfo", is: "narrowing", meaning: "Refused, unless the line has the same category." },
  ...STAYS,
];

function daysOfWeek(element: string, meaning: string): ElementReference {
  return { element, meaning, attributes: [[DAYS, "Weekdays."]], narrowing: [] };
}
