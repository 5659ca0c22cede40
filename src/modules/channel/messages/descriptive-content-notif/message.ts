import type { HotelRequest, Message, ReadContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import type { MessageReport } from "../../report.ts";
import { newHotelReference } from "../parts/hotel.ts";
import { checkContents, checkStrictly } from "./check.ts";
import { ContentsReader } from "./contents-reader.ts";
import { decideContents, groupRooms } from "./decide.ts";
import { examples } from "./examples.ts";
import type { PropertyContents, GuestRoom } from "./guest-room.ts";

const INFO_ACTION = "OTA_HotelDescriptiveContentNotif:Info";

/** A property, its categories and their physical rooms. AlpineBits uses this message for Inventory and Info pushes. */
export const descriptiveContentNotif: Message = {
  root: "OTA_HotelDescriptiveContentNotifRQ",
  about:
    "Updates a property's record, and creates or updates its categories with their names, occupancies, types, amenities, pictures and rooms.",
  actions: [
    {
      action: "OTA_HotelDescriptiveContentNotif:Inventory",
      handshake: "action_OTA_HotelDescriptiveContentNotif_Inventory",
      capabilities: [
        "OTA_HotelDescriptiveContentNotif_Inventory_use_rooms",
        "OTA_HotelDescriptiveContentNotif_Inventory_occupancy_children",
      ],
    },
    { action: INFO_ACTION, handshake: "action_OTA_HotelDescriptiveContentNotif_Info" },
  ],
  hotelElements: ["HotelDescriptiveContents", "HotelDescriptiveContent"],
  read(context) {
    const contents = newContents(context);
    const reader = new ContentsReader(context, contents);
    return {
      open: (name, attributes, offset) => reader.open(name, attributes, offset),
      close: (name) => reader.close(name),
      text: (text) => reader.text(text),
      finish: () => toRequest(contents, context),
    };
  },
  examples,
};

function toRequest(read: PropertyContents, { dialect, report }: ReadContext): HotelRequest {
  const rooms = read.isInfo || !dialect.checksGuestRooms ? codedRooms(read, report) : read.rooms;
  const clearsMissingFields = dialect.replacesCategories === true && !read.isInfo;
  const categories = groupRooms(rooms, { dialect, report, clearsMissingFields });
  checkContents({ ...read, rooms }, categories, report);
  if (dialect.checksGuestRooms) checkStrictly(read, categories, report);
  return {
    kind: "hotel",
    hotel: read.hotel,
    lines: read.rooms.length + (read.parts.length > 0 ? 1 : 0),
    pages: [],
    decide: (context) => decideContents({ ...read, categories }, context),
  };
}

/** Returns the rooms that have a code, which may be only an `ID`. If no room has a code and nothing else was sent, refuses the message. */
function codedRooms({ rooms, parts }: PropertyContents, report: MessageReport): readonly GuestRoom[] {
  const roomsWithCodes = rooms.map((room) => (room.code === undefined ? { ...room, code: room.id, id: undefined } : room));
  const codedRoomList = roomsWithCodes.filter(({ code }) => code !== undefined);
  if (codedRoomList.length === 0 && parts.length === 0) return rooms;
  for (const { code, at } of roomsWithCodes) if (code === undefined) report.warn(note("a room without a code is skipped"), at);
  return codedRoomList;
}

function newContents({ action }: ReadContext): PropertyContents {
  return { hotel: newHotelReference(), hasList: false, rooms: [], parts: [], property: { groups: [] }, isInfo: action === INFO_ACTION };
}
