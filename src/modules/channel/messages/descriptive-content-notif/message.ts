import type { HotelRequest, Message, ReadContext, MessageReader } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { checkContents, checkStrictly } from "./check.ts";
import { decideContents, groupRooms } from "./decide.ts";
import { examples } from "./examples.ts";
import type { Contents, GuestRoom } from "./guest-room.ts";
import { newRoom, RoomReader } from "./room-reader.ts";

/** The categories of a hotel and their single rooms; AlpineBits Inventory/Basic push. */
export const descriptiveContentNotif: Message = {
  root: "OTA_HotelDescriptiveContentNotifRQ",
  about: "Creates and updates the categories of a hotel: names, occupancies, kinds, amenities, pictures and single rooms.",
  actions: [
    {
      action: "OTA_HotelDescriptiveContentNotif:Inventory",
      handshake: "action_OTA_HotelDescriptiveContentNotif_Inventory",
      capabilities: ["OTA_HotelDescriptiveContentNotif_Inventory_use_rooms"],
    },
  ],
  hotelElements: ["HotelDescriptiveContents", "HotelDescriptiveContent"],
  read: readContents,
  examples,
};

function requestOf(read: Contents, { dialect, report }: ReadContext): HotelRequest {
  const categories = groupRooms(read.rooms, { dialect, report });
  checkContents(read, categories, report);
  if (dialect.checksGuestRooms) checkStrictly(read, categories, report);
  else if (read.rooms.length === 0 && read.foreign.length > 0) report.error(fieldMissing("GuestRoom"), read.hotel.at);
  return {
    kind: "hotel",
    hotel: read.hotel,
    lines: read.rooms.length,
    pages: [],
    decide: (context) => decideContents(categories, context),
  };
}

const FOREIGN: ReadonlySet<string> = new Set(["AffiliationInfo", "Policies", "ContactInfos", "HotelInfo"]);
const CONTAINERS: ReadonlySet<string> = new Set(["OTA_HotelDescriptiveContentNotifRQ", "HotelDescriptiveContents", "FacilityInfo"]);

function readContents(context: ReadContext): MessageReader {
  const { dialect, report } = context;
  const hotel = noHotel();
  const rooms: GuestRoom[] = [];
  const foreign: Contents["foreign"][number][] = [];
  /** Some OpenTravel senders name the hotel on the list of contents. */
  let isShared = false;
  let hasList = false;
  let reader: RoomReader | undefined;
  let skipped: string | undefined;
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (skipped !== undefined) return;
      if (reader) reader.open(name, reading);
      else if (name === "GuestRoom" && hasList) {
        reader = new RoomReader(newRoom(reading));
        rooms.push(reader.room);
      } else if (name === "GuestRooms") hasList = true;
      else if (name === "HotelDescriptiveContents" && !dialect.ignoresCodeOfContents) {
        readHotel(hotel, reading);
        isShared = hotel.code !== undefined;
        // A name alone does not say that the contents are of this hotel.
        if (!isShared) hotel.name = undefined;
      } else if (name === "HotelDescriptiveContent") {
        if (!isShared || attributes.get("HotelCode") !== undefined) readHotel(hotel, reading);
      } else if (!CONTAINERS.has(name)) skip(name, offset);
    },
    close(name) {
      if (name === skipped) skipped = undefined;
      else if (name === "GuestRoom") reader = undefined;
      else reader?.close(name);
    },
    text: (text) => reader?.text(text),
    finish: () => requestOf({ hotel, hasList, rooms, foreign }, context),
  };

  function skip(name: string, offset: number): void {
    skipped = name;
    if (FOREIGN.has(name)) foreign.push({ name, at: { offset, record: undefined } });
    else report.ignore(name);
  }
}
