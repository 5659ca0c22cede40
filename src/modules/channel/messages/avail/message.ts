import type { Message, ReadContext } from "../../message.ts";
import { fieldMissing, notImplemented, notSupportedValue } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { productsRequest } from "../parts/products.ts";
import { IGNORE_CONTAINER, type PullElements, readPull } from "../parts/pull-reader.ts";
import { examples } from "./examples.ts";
import { writeRoomStays } from "./write.ts";

/** Lists categories and rate plans for mapping, in SiteMinder's format. */
export const avail: Message = {
  root: "OTA_HotelAvailRQ",
  about: "Lists the active categories and the rate plans they are sold under, so that a sender can map its codes.",
  actions: [],
  hotelElements: ["HotelRef"],
  read: readAvail,
  examples,
};

/**
 * Elements of an availability search. A message with any of them is refused, because its sender would mistake the list of categories for
 * search results.
 */
const SEARCH_ELEMENTS = ["StayDateRange", "RoomStayCandidates", "RateRange", "RatePlanCandidates"];

function readAvail({ report }: ReadContext) {
  const hotel = newHotelReference();
  let hasSegment = false;
  const elements: PullElements = {
    OTA_HotelAvailRQ: IGNORE_CONTAINER,
    AvailRequestSegments: IGNORE_CONTAINER,
    AvailRequestSegment(reading) {
      hasSegment = true;
      checkSegment(reading);
    },
    HotelSearchCriteria: IGNORE_CONTAINER,
    Criterion: IGNORE_CONTAINER,
    HotelRef: (reading) => readHotel(hotel, reading),
    ...Object.fromEntries(SEARCH_ELEMENTS.map((name) => [name, (reading: ElementContext) => refuseSearch(name, reading)])),
  };
  return readPull(report, elements, () => {
    if (!hasSegment) report.error(fieldMissing("AvailRequestSegment"), hotel.at);
    return productsRequest(hotel, writeRoomStays);
  });
}

function checkSegment({ attributes, report, at }: ElementContext): void {
  const type = attributes.get("AvailReqType");
  if (type === undefined) report.error(fieldMissing("AvailReqType"), at);
  else if (type.trim().toLowerCase() !== "room") report.error(notSupportedValue(type, "AvailReqType", "Room"), at);
}

function refuseSearch(name: string, { report, at }: ElementContext): void {
  report.error(
    notImplemented(`OTA_HotelAvailRQ with ${name}`, "it lists categories and rate plans, and does not search for free rooms"),
    at,
  );
}
