import type { ElementReference } from "./element.ts";
import { HOTEL_CODE_MEANING } from "./parts.ts";

const RANGE_ELEMENT: ElementReference = {
  element: "DateRange",
  meaning: "A range of nights. May be repeated. Default: every night from today onward.",
  attributes: [
    [
      "Start End Duration",
      "If `Start` is missing, the range begins today. If the end is missing, the range extends to the last stored night.",
    ],
  ],
};
const HOTEL_REF_ELEMENT: ElementReference = { element: "HotelRef", meaning: "The property.", attributes: HOTEL_CODE_MEANING };

export const PING_ELEMENTS: readonly ElementReference[] = [
  { element: "EchoData", meaning: "Returned unchanged. In AlpineBits, it contains the JSON handshake." },
];

export const HOTEL_RATE_PLAN_ELEMENTS: readonly ElementReference[] = [
  { element: "RatePlans", meaning: "The property code may be sent here instead of in `HotelRef`.", attributes: HOTEL_CODE_MEANING },
  { element: "RatePlan", meaning: "The query." },
  RANGE_ELEMENT,
  { element: "RatePlanCandidates", meaning: "The plans. Default: every plan." },
  {
    element: "RatePlanCandidate",
    meaning: "One plan, or joined plans.",
    attributes: [
      ["RatePlanCode", "Plan code."],
      ["RatePlanID", "Code of a group of joined plans, used if there is no `RatePlanCode`."],
    ],
  },
  HOTEL_REF_ELEMENT,
];

export const DESCRIPTIVE_INFO_ELEMENTS: readonly ElementReference[] = [
  { element: "HotelDescriptiveInfos", meaning: "Container." },
  { element: "HotelDescriptiveInfo", meaning: "The property. Required.", attributes: HOTEL_CODE_MEANING },
];

const CANDIDATE_ELEMENTS: readonly ElementReference[] = [
  { element: "RatePlanCandidates", meaning: "The plans. Default: every plan, plus values stored without a plan." },
  {
    element: "RatePlanCandidate",
    meaning: "One plan.",
    attributes: [
      ["RatePlanCode", "Plan code."],
      ["RatePlanID", "Used if `RatePlanCode` is missing."],
    ],
  },
  { element: "RoomTypeCandidates", meaning: "The categories. Default: every active category." },
  { element: "RoomTypeCandidate", meaning: "One category.", attributes: [["RoomTypeCode", "Category code. Required."]] },
];

export const AVAIL_GET_ELEMENTS: readonly ElementReference[] = [
  { element: "HotelAvailRequests", meaning: "The requests, all for the same property." },
  {
    element: "HotelAvailRequest",
    meaning: "A request. At least one is required.",
    attributes: [["SendBookingLimit", "`false`: only restrictions, no booking limits."]],
  },
  RANGE_ELEMENT,
  ...CANDIDATE_ELEMENTS,
  { element: "RestrictionStatusCandidates", meaning: "Ignored. All restrictions are returned." },
  HOTEL_REF_ELEMENT,
];

export const INV_COUNT_ELEMENTS: readonly ElementReference[] = [
  { element: "HotelInvCountRequests", meaning: "The requests, all for the same property." },
  { element: "HotelInvCountRequest", meaning: "A request. At least one is required." },
  RANGE_ELEMENT,
  ...CANDIDATE_ELEMENTS,
  HOTEL_REF_ELEMENT,
];

export const AVAIL_ELEMENTS: readonly ElementReference[] = [
  { element: "AvailRequestSegments", meaning: "Container." },
  { element: "AvailRequestSegment", meaning: "The query. Required.", attributes: [["AvailReqType", "`Room`. Required."]] },
  {
    element: "StayDateRange",
    meaning: "Refused, as are `RoomStayCandidates`, `RatePlanCandidates` and `RateRange`, because availability search is not supported.",
    attributes: [["Start End", "Ignored."]],
  },
  { element: "HotelSearchCriteria", meaning: "Container." },
  { element: "Criterion", meaning: "Container." },
  HOTEL_REF_ELEMENT,
];

export const ROOM_LIST_ELEMENTS: readonly ElementReference[] = [
  { element: "HotelRoomLists", meaning: "Container." },
  { element: "HotelRoomList", meaning: "The property. Required.", attributes: HOTEL_CODE_MEANING },
];

export const PRODUCT_ELEMENTS: readonly ElementReference[] = [
  { element: "HotelProducts", meaning: "The property code may be sent here.", attributes: HOTEL_CODE_MEANING },
  { element: "HotelProduct", meaning: "The property. Required.", attributes: HOTEL_CODE_MEANING },
];
