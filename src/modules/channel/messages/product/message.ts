import type { CategoryRow } from "../../../../db/schema.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { DecisionContext, Message } from "../../message.ts";
import { fieldMissing } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { type Product, productsRequest } from "../parts/products.ts";
import { IGNORE_CONTAINER, readPull } from "../parts/pull-reader.ts";
import { examples } from "./examples.ts";

/** Lists categories and rate plans for mapping, in the format of TravelClick and Trip.com clients. */
export const product: Message = {
  root: "OTA_HotelProductRQ",
  about: "Lists every combination of active category and rate plan, so that a sender can map its codes.",
  actions: [],
  hotelElements: ["HotelProducts", "HotelProduct"],
  read({ report }) {
    const hotel = newHotelReference();
    let hasProduct = false;
    const readHotelIfNamed = (reading: ElementContext) => {
      if (reading.attributes.get("HotelCode") !== undefined || reading.attributes.get("HotelName") !== undefined) readHotel(hotel, reading);
    };
    const elements = {
      OTA_HotelProductRQ: IGNORE_CONTAINER,
      HotelProducts: readHotelIfNamed,
      HotelProduct(reading: ElementContext) {
        hasProduct = true;
        readHotelIfNamed(reading);
      },
    };
    return readPull(report, elements, () => {
      if (!hasProduct) report.error(fieldMissing("HotelProduct"), hotel.at);
      return productsRequest(hotel, writeProducts);
    });
  },
  examples,
};

function writeProducts(products: readonly Product[], { property }: DecisionContext): string {
  const productsXml = products.flatMap(({ category, plans }) => {
    const rates = plans.map(({ code, name }) =>
      writeElement("RatePlans", {}, writeEmptyElement("RatePlan", { RatePlanCode: code, RatePlanName: name })),
    );
    return (rates.length === 0 ? [""] : rates).map((rate) => writeElement("HotelProduct", {}, writeRoom(category) + rate));
  });
  return writeElement("HotelProducts", { HotelCode: property.code, HotelName: property.name }, productsXml.join(""));
}

function writeRoom({ code, name, max_occupancy, max_adults, max_children }: CategoryRow): string {
  const guests = {
    MaxOccupancy: max_occupancy,
    MaxAdultOccupancy: max_adults ?? undefined,
    MaxChildOccupancy: max_children ?? undefined,
  };
  return writeElement("RoomTypes", {}, writeEmptyElement("RoomType", { RoomTypeCode: code, RoomTypeName: name, ...guests }));
}
