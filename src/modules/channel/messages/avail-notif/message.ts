import type { PageRequest } from "../../../../journal/work.ts";
import type { AlpineBitsVersion } from "../../dialects.ts";
import type { HotelRequest, Message, ReadContext } from "../../message.ts";
import { addCountPages, countRequest } from "../parts/count-request.ts";
import { PageSet } from "../parts/page-set.ts";
import { checkAvailStatus } from "./check.ts";
import { decideAvailStatus } from "./decide.ts";
import { examples } from "./examples.ts";
import type { AvailStatus } from "./line.ts";
import { AvailStatusReader } from "./read.ts";

/** Restrictions and booking limits; AlpineBits FreeRooms up to 2018-10. */
export const availNotif: Message = {
  root: "OTA_HotelAvailNotifRQ",
  about: "Opens and closes categories and rate plans, limits the length of stays, and sets how many rooms can be booked.",
  actions: [{ action: "OTA_HotelAvailNotif:FreeRooms", handshake: "action_OTA_HotelAvailNotif", capabilities }],
  hotelElements: ["AvailStatusMessages"],
  read: (context) => new AvailStatusReader(context, (read) => requestOf(read, context)),
  examples,
};

function capabilities(version: AlpineBitsVersion): readonly string[] | undefined {
  if (version !== "2018-10") return undefined;
  return [
    "OTA_HotelAvailNotif_accept_rooms",
    "OTA_HotelAvailNotif_accept_categories",
    "OTA_HotelAvailNotif_accept_deltas",
    "OTA_HotelAvailNotif_accept_BookingThreshold",
  ];
}

function requestOf(read: AvailStatus, { dialect, report }: ReadContext): HotelRequest {
  checkAvailStatus(read, dialect, report);
  return countRequest(read, { pages: pagesOf(read), decide: (context) => decideAvailStatus(read, context) });
}

function pagesOf(read: AvailStatus): readonly PageRequest[] {
  const pages = new PageSet();
  for (const { control, range, limit, restrictions } of read.lines) {
    if (!control || !range) continue;
    if (limit) addCountPages(pages, control, range);
    if (restrictions.size > 0) pages.add({ kind: "rate", category: control.category, lane: control.plan ?? "" }, range);
  }
  if (read.completeSet) pages.addEverything();
  return pages.list();
}
