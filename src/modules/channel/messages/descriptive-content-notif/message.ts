import { isStrict } from "../../dialects.ts";
import type { HotelRequest, Message, ReadContext } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import { checkContents, checkStrictly } from "./check.ts";
import { decideContents } from "./decide.ts";
import { examples } from "./examples.ts";
import { groupRooms } from "./group.ts";
import type { Contents } from "./guest-room.ts";
import { readContents } from "./read.ts";

/** The categories of a hotel and their single rooms; AlpineBits Inventory/Basic push. */
export const descriptiveContentNotif: Message = {
  root: "OTA_HotelDescriptiveContentNotifRQ",
  about: "Creates and updates the categories of a hotel: names, occupancies, kinds, amenities, pictures and single rooms.",
  actions: [
    {
      action: "OTA_HotelDescriptiveContentNotif:Inventory",
      handshake: "action_OTA_HotelDescriptiveContentNotif_Inventory",
      capabilities: () => ["OTA_HotelDescriptiveContentNotif_Inventory_use_rooms"],
    },
  ],
  hotelElements: ["HotelDescriptiveContents", "HotelDescriptiveContent"],
  read: (context) => readContents(context, (read) => requestOf(read, context)),
  examples,
};

function requestOf(read: Contents, { dialect, report }: ReadContext): HotelRequest {
  const categories = groupRooms(read.rooms, { dialect, report });
  checkContents(read, categories, report);
  if (isStrict(dialect)) checkStrictly(read, categories, report);
  else if (read.rooms.length === 0 && read.foreign.length > 0) report.error(fieldMissing("GuestRoom"), read.hotel.at);
  return {
    kind: "hotel",
    hotel: read.hotel,
    lines: read.rooms.length,
    pages: [],
    decide: (context) => decideContents(categories, context),
  };
}
