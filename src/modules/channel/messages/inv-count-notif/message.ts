import type { PageRequest } from "../../../../journal/work.ts";
import type { AlpineBitsVersion } from "../../dialects.ts";
import type { HotelRequest, Message, ReadContext } from "../../message.ts";
import { addCountPages, countRequest } from "../parts/count-request.ts";
import { PageSet } from "../parts/page-set.ts";
import { checkInventories } from "./check.ts";
import { decideInventories } from "./decide.ts";
import { examples } from "./examples.ts";
import type { Inventories } from "./line.ts";
import { InventoriesReader } from "./read.ts";

/** Sets the rooms for sale; AlpineBits FreeRooms since 2020-10. */
export const invCountNotif: Message = {
  root: "OTA_HotelInvCountNotifRQ",
  about: "Sets how many rooms of a category can be sold on each night.",
  actions: [{ action: "OTA_HotelInvCountNotif:FreeRooms", handshake: "action_OTA_HotelInvCountNotif", capabilities }],
  hotelElements: ["Inventories"],
  read: (context) => new InventoriesReader(context, (read) => requestOf(read, context)),
  examples,
};

function capabilities(version: AlpineBitsVersion): readonly string[] | undefined {
  if (version === "2018-10") return undefined;
  const since2022 = version === "2020-10" ? [] : ["OTA_HotelInvCountNotif_accept_complete_set"];
  return [
    "OTA_HotelInvCountNotif_accept_rooms",
    "OTA_HotelInvCountNotif_accept_categories",
    "OTA_HotelInvCountNotif_accept_deltas",
    ...since2022,
    "OTA_HotelInvCountNotif_accept_out_of_order",
    "OTA_HotelInvCountNotif_accept_out_of_market",
    "OTA_HotelInvCountNotif_accept_closing_seasons",
  ];
}

function requestOf(read: Inventories, { dialect, report }: ReadContext): HotelRequest {
  checkInventories(read, dialect, report);
  return countRequest(read, { pages: pagesOf(read), decide: (context) => decideInventories(read, context) });
}

function pagesOf(read: Inventories): readonly PageRequest[] {
  const pages = new PageSet();
  for (const { control, range } of read.lines) {
    if (!control || !range) continue;
    if (control.plan === undefined) addCountPages(pages, control, range);
    else pages.add({ kind: "rate", category: control.category, lane: control.plan }, range);
  }
  if (read.completeSet) pages.addEverything();
  return pages.list();
}
