import type { Message } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { examples } from "./examples.ts";
import { writeGuestRooms } from "./write.ts";

/** Returns the categories of a hotel; AlpineBits Inventory/Basic pull. */
export const descriptiveInfo: Message = {
  root: "OTA_HotelDescriptiveInfoRQ",
  about: "Returns the active categories of a hotel and their single rooms.",
  actions: [{ action: "OTA_HotelDescriptiveInfo:Inventory", handshake: "action_OTA_HotelDescriptiveInfo_Inventory" }],
  hotelElements: ["HotelDescriptiveInfo"],
  read({ report }) {
    const hotel = noHotel();
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
        return { kind: "hotel", hotel, lines: 1, pages: [], decide: writeGuestRooms };
      },
    };
  },
  examples,
};
