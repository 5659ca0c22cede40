import type { ElementReference } from "./element.ts";
import { HOTEL_CODE } from "./parts.ts";

export const PING: readonly ElementReference[] = [
  { element: "EchoData", meaning: "Returned unchanged. In AlpineBits, the handshake as JSON." },
];

export const HOTEL_RATE_PLAN: readonly ElementReference[] = [
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
];

export const DESCRIPTIVE_INFO: readonly ElementReference[] = [
  { element: "HotelDescriptiveInfos", meaning: "Container." },
  { element: "HotelDescriptiveInfo", meaning: "The property. Required.", attributes: HOTEL_CODE },
];
