import type { Group } from "../../../../calendar/attributes.ts";
import type { Message } from "../../message.ts";
import type { ElementContext } from "../../report.ts";
import { pageRequests, readNightsQuery } from "../parts/nights-query.ts";
import { IGNORE_CONTAINER } from "../parts/pull-reader.ts";
import { readFlag } from "../parts/values.ts";
import { decideRestrictions } from "./decide.ts";
import { examples } from "./examples.ts";

const RESTRICTION_GROUPS: readonly Group[] = ["restrictions"];
const ALL_PAGE_GROUPS: readonly Group[] = ["counts", "restrictions", "allotment"];

export const availGet: Message = {
  root: "OTA_HotelAvailGetRQ",
  about:
    "Returns the stored restrictions and booking limits in the format of `OTA_HotelAvailNotifRQ`. Consecutive identical nights are combined.",
  actions: [],
  hotelElements: ["HotelRef"],
  read(context) {
    let withLimits = true;
    const readRequest = (reading: ElementContext) => {
      withLimits &&= readFlag("SendBookingLimit", reading) !== false;
    };
    const form = {
      root: "OTA_HotelAvailGetRQ",
      request: "HotelAvailRequest",
      readRequest,
      more: { RestrictionStatusCandidates: IGNORE_CONTAINER },
    };
    return readNightsQuery(context, form, (query) => ({
      kind: "hotel",
      hotel: query.hotel,
      lines: 1,
      pages: [...(withLimits ? pageRequests(query, "inventory") : []), ...pageRequests(query, "rate")],
      decide: (decision) => decideRestrictions({ ...query, groups: withLimits ? ALL_PAGE_GROUPS : RESTRICTION_GROUPS }, decision),
    }));
  },
  examples,
};
