import type { CategoryRow } from "../../../../db/schema.ts";
import { element, leaf } from "../../../../xml/write.ts";
import type { DecisionContext } from "../../message.ts";
import type { Product } from "../parts/products.ts";

/** Writes one `RoomStay` per category and plan, because senders read only the first plan in each `RoomStay`. */
export function writeRoomStays(products: readonly Product[], context: DecisionContext): string {
  const stays = products.flatMap(({ category, plans }) => {
    const rates: (string | undefined)[] = plans.map(({ code, name }) => writeRate(code, name));
    return (rates.length === 0 ? [""] : rates).map((rate) => element("RoomStay", {}, writeRoom(category) + rate + writeHotel(context)));
  });
  return element("RoomStays", {}, stays.join(""));
}

function writeRoom({ code, name }: CategoryRow): string {
  return element("RoomTypes", {}, element("RoomType", { RoomTypeCode: code }, leaf("RoomDescription", { Name: name })));
}

function writeRate(code: string, name: string): string {
  const description = leaf("RatePlanDescription", { Name: name });
  return element("RatePlans", {}, element("RatePlan", { RatePlanCode: code, RatePlanName: name }, description));
}

function writeHotel({ property }: DecisionContext): string {
  return leaf("BasicPropertyInfo", { HotelCode: property.code, HotelName: property.name });
}
