import { element, leaf } from "../../../../xml/write.ts";
import type { DecisionContext, Message } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { type Product, productsRequest } from "../parts/products.ts";
import { CONTAINER, readPull } from "../parts/pull-reader.ts";
import { examples } from "./examples.ts";

/** Lists categories and rate plans for mapping, in the format of Cubilis and Weekendesk. */
export const roomList: Message = {
  root: "OTA_HotelRoomListRQ",
  about: "Lists the active categories, each with its rate plans, so that a sender can map its codes.",
  actions: [],
  hotelElements: ["HotelRoomList"],
  read({ report }) {
    const hotel = noHotel();
    let hasList = false;
    const elements = {
      OTA_HotelRoomListRQ: CONTAINER,
      HotelRoomLists: CONTAINER,
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
  const stays = element("RoomStays", {}, products.map(writeStay).join(""));
  return element("HotelRoomLists", {}, element("HotelRoomList", { HotelCode: property.code }, stays));
}

function writeStay({ category, plans }: Product): string {
  const room = element("RoomType", { IsRoom: "true", RoomID: category.code }, leaf("RoomDescription", { Name: category.name }));
  const rates = plans.map(({ code, name }) => leaf("RatePlan", { RatePlanID: code, RatePlanName: name }));
  const list = rates.length === 0 ? "" : element("RatePlans", {}, rates.join(""));
  return element("RoomStay", {}, element("RoomTypes", {}, room) + list);
}
