import type { CategoryRow } from "../../../../db/schema.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { DecisionContext } from "../../message.ts";
import type { Product } from "../parts/products.ts";

/** Writes one `RoomStay` per category and plan, because senders read only the first plan in each `RoomStay`. */
export function writeRoomStays(products: readonly Product[], context: DecisionContext): string {
  const roomStaysXml = products.flatMap(({ category, plans }) => {
    const rates: (string | undefined)[] = plans.map(({ code, name }) => writeRate(code, name));
    return (rates.length === 0 ? [""] : rates).map((rate) =>
      writeElement("RoomStay", {}, writeRoom(category) + rate + writeHotel(context)),
    );
  });
  return writeElement("RoomStays", {}, roomStaysXml.join(""));
}

function writeRoom({ code, name }: CategoryRow): string {
  return writeElement(
    "RoomTypes",
    {},
    writeElement("RoomType", { RoomTypeCode: code }, writeEmptyElement("RoomDescription", { Name: name })),
  );
}

function writeRate(code: string, name: string): string {
  const description = writeEmptyElement("RatePlanDescription", { Name: name });
  return writeElement("RatePlans", {}, writeElement("RatePlan", { RatePlanCode: code, RatePlanName: name }, description));
}

function writeHotel({ property }: DecisionContext): string {
  return writeEmptyElement("BasicPropertyInfo", { HotelCode: property.code, HotelName: property.name });
}
