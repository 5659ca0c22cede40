import type { Message } from "../../message.ts";
import { pageRequests, readNightsQuery } from "../parts/nights-query.ts";
import { decideCounts } from "./decide.ts";
import { examples } from "./examples.ts";

export const invCount: Message = {
  root: "OTA_HotelInvCountRQ",
  about:
    "Returns the stored counts, allotments and closing seasons in the format of `OTA_HotelInvCountNotifRQ`. Consecutive identical nights are combined.",
  actions: [],
  hotelElements: ["HotelRef"],
  read: (context) =>
    readNightsQuery(context, { root: "OTA_HotelInvCountRQ", request: "HotelInvCountRequest" }, (query) => ({
      kind: "hotel",
      hotel: query.hotel,
      lines: 1,
      pages: [...pageRequests(query, "inventory"), ...pageRequests(query, "rate")],
      decide: (decision) => decideCounts(query, decision),
    })),
  examples,
};
