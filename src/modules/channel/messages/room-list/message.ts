import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { DecisionContext, Message } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { type Product, productsRequest } from "../parts/products.ts";
import { IGNORE_CONTAINER, readPull } from "../parts/pull-reader.ts";
import { examples } from "./examples.ts";

/** Lists categories and rate plans for mapping, in the format of Cubilis and Weekendesk. */
export const roomList: Message = {
  root: "OTA_HotelRoomListRQ",
  about: "Lists the active categories, each with its rate plans, so that a sender can map its codes.",
  actions: [],
  hotelElements: ["HotelRoomList"],
  read({ report }) {
    const hotel = newHotelReference();
    let hasList = false;
    const elements = {
      OTA_HotelRoomListRQ: IGNORE_CONTAINER,
      HotelRoomLists: IGNORE_CONTAINER,
      HotelRoomList(reading: ElementContext) {
        hasList = true;
        readHotel(hotel, reading);
      },
    };
    return readPull(report, elements, () => {
      if (!hasList) report.error(fieldMissing("HotelRoomList"), hotel.at);
      return productsRequest(hotel, writeRoomList);
    });
  },
  examples,
};

function writeRoomList(products: readonly Product[], { property }: DecisionContext): string {
  const roomStaysXml = writeElement("RoomStays", {}, products.map(writeStay).join(""));
  return writeElement("HotelRoomLists", {}, writeElement("HotelRoomList", { HotelCode: property.code }, roomStaysXml));
}

function writeStay({ category, plans }: Product): string {
  const room = writeElement(
    "RoomType",
    { IsRoom: "true", RoomID: category.code },
    writeEmptyElement("RoomDescription", { Name: category.name }),
  );
  const rates = plans.map(({ code, name }) => writeEmptyElement("RatePlan", { RatePlanID: code, RatePlanName: name }));
  const list = rates.length === 0 ? "" : writeElement("RatePlans", {}, rates.join(""));
  return writeElement("RoomStay", {}, writeElement("RoomTypes", {}, room) + list);
}
