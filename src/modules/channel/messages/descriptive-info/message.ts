import type { Message } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { examples } from "./examples.ts";
import { writePropertyInfo } from "./write-property.ts";
import { writeGuestRooms } from "./write.ts";

const INFO_ACTION = "OTA_HotelDescriptiveInfo:Info";

/** Returns a hotel's categories or its property record. AlpineBits uses this message to pull Inventory and Info. */
export const descriptiveInfo: Message = {
  root: "OTA_HotelDescriptiveInfoRQ",
  about: "Returns a hotel's active categories and their individual rooms, or the property's record.",
  actions: [
    { action: "OTA_HotelDescriptiveInfo:Inventory", handshake: "action_OTA_HotelDescriptiveInfo_Inventory" },
    { action: INFO_ACTION, handshake: "action_OTA_HotelDescriptiveInfo_Info" },
  ],
  hotelElements: ["HotelDescriptiveInfo"],
  read({ report, action }) {
    const hotel = newHotelReference();
    let asked = false;
    return {
      open(name, attributes, at) {
        if (name === "HotelDescriptiveInfo") readHotel(hotel, { attributes, report, at: { offset: at, record: undefined } });
        else if (name !== "OTA_HotelDescriptiveInfoRQ" && name !== "HotelDescriptiveInfos") report.ignore(name);
        asked ||= name === "HotelDescriptiveInfo";
      },
      close() {},
      text() {},
      finish() {
        if (!asked) report.error(fieldMissing("HotelDescriptiveInfo"), hotel.at);
        return { kind: "hotel", hotel, lines: 1, pages: [], decide: action === INFO_ACTION ? writePropertyInfo : writeGuestRooms };
      },
    };
  },
  examples,
};
