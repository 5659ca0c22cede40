import type { HotelReference } from "../../message.ts";
import { ruleBroken } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { codeIn } from "./attributes.ts";

/** The hotel before it is read. */
export function noHotel(): HotelReference {
  return { code: undefined, name: undefined, at: { offset: 0, record: undefined } };
}

/** Reads the hotel from the element that collects the lines; a second such element must name the same hotel. */
export function readHotel(hotel: HotelReference, reading: Reading): void {
  const { attributes, report, at } = reading;
  const code = codeIn("HotelCode", reading);
  if (hotel.code !== undefined && code !== hotel.code) report.error(ruleBroken("A message is about one hotel"), at);
  if (hotel.code !== undefined) return;
  hotel.code = code;
  hotel.name = attributes.get("HotelName")?.trim() || undefined;
  hotel.at = at;
}
